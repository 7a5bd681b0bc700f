import { describe, expect, it } from 'vitest';
import { paperPolicies as loaded } from './paper-policies';
import { loadPolicy, paperPolicies } from './paper-policies-on-demand';

const nameAndSummary = ({ name, summary }: { name: string; summary: string }) => ({
  name,
  summary,
});

describe('the policies of the papers on demand', () => {
  it('are announced as they are', () => {
    expect(paperPolicies.map(nameAndSummary)).toEqual(loaded.map(nameAndSummary));
  });

  it('refuse to begin before they are loaded, then begin as the real ones', async () => {
    for (const [index, policy] of paperPolicies.entries()) {
      expect(() => policy.initial({})).toThrow(`"${policy.name}" is not loaded yet`);
      await loadPolicy(policy.name);
      expect(policy.initial({})).toEqual(loaded[index]?.initial({}));
    }
  });

  it('load nothing for any other policy', async () => {
    await expect(loadPolicy('model')).resolves.toBeUndefined();
  });
});
