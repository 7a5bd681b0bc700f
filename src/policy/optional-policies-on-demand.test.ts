import { describe, expect, it } from 'vitest';
import { optionalPolicies as loaded } from './optional-policies';
import { loadPolicy, optionalPolicies } from './optional-policies-on-demand';

const nameAndSummary = ({ name, summary }: { name: string; summary: string }) => ({
  name,
  summary,
});

describe('optional policies on demand', () => {
  it('are announced as they are', () => {
    expect(optionalPolicies.map(nameAndSummary)).toEqual(loaded.map(nameAndSummary));
  });

  it('refuse to begin before they are loaded, then begin as the real ones', async () => {
    for (const [index, policy] of optionalPolicies.entries()) {
      expect(() => policy.initial({})).toThrow(`"${policy.name}" is not loaded yet`);
      await loadPolicy(policy.name);
      expect(policy.initial({})).toEqual(loaded[index]?.initial({}));
    }
  });

  it('load nothing for any other policy', async () => {
    await expect(loadPolicy('model')).resolves.toBeUndefined();
  });
});
