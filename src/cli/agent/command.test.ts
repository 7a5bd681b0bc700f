import { describe, expect, it } from 'vitest';
import type { Answer } from '../../transport';
import { consentFile, createConsent } from './command';

describe('consent of the user', () => {
  const run = (answer: Answer) => {
    const granted = new Set<string>();
    const asked: string[] = [];
    const consent = createConsent(
      { has: (origin) => granted.has(origin), grant: (origin) => void granted.add(origin) },
      (origin) => {
        asked.push(origin);
        return Promise.resolve(answer);
      },
      () => new Date(0),
    );
    return { consent, asked, granted };
  };

  it('is asked for once and kept', async () => {
    const { consent, asked, granted } = run('granted');
    expect(await consent('https://a.example')).toBe('granted');
    expect(await consent('https://a.example')).toBe('granted');
    expect(asked).toEqual(['https://a.example']);
    granted.clear(); // revoked
    await consent('https://a.example');
    expect(asked).toHaveLength(2);
  });

  it.each(['denied', 'unanswered'] as const)('is not kept when it is %s', async (answer) => {
    const { consent, granted } = run(answer);
    expect(await consent('https://a.example')).toBe(answer);
    expect(granted.size).toBe(0);
  });
});

it('is kept below the configuration of the user', () => {
  expect(consentFile({ XDG_CONFIG_HOME: '/c' })).toBe('/c/multipath-dash/consents.json');
  // The specification ignores relative paths.
  expect(consentFile({ XDG_CONFIG_HOME: 'c' })).toMatch(/^\/.*\.config\/multipath-dash/);
});
