import { expect, it } from 'vitest';
import { readiness } from './readiness';

const preloaded = { state: 'preloaded', reason: '' } as const;

it('is ready for several networks only where there are several', () => {
  expect(readiness(2, preloaded)).toBe('Ready to play over 2 networks.');
  expect(readiness(1, preloaded)).toMatch(/^One network: /);
  expect(readiness(0, preloaded)).toMatch(/no network/);
});

it('gives the reason where several networks have no MPTCP', () => {
  const without = { state: 'disabled', reason: 'net.mptcp.enabled is 0.' } as const;
  expect(readiness(3, without)).toBe(
    'Ready to play over 3 networks, in byte ranges only. net.mptcp.enabled is 0.',
  );
});
