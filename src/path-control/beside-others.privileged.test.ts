import { describe, expect } from 'vitest';
import { observe } from '../kernel/testing/private-network';

const { check, get } = observe('src/path-control/testing/beside-others-scenario.ts', 240_000);

describe('the helper, with another user’s subflow from its endpoint', () => {
  for (const name of ['starved first', 'starved second']) {
    check(`leaves the subflow alone when its caller limits its descriptors: ${name}`, () => {
      expect(get(`${name}: add`)).toBe('ok');
      expect(get(`${name}: subflow lives`)).toBe(true);
      expect(get(`${name}: endpoint`)).toBe(true);
    });
  }

  check('refuses a request that its second process does not take, and never carries it out', () => {
    expect(get('held open: backup')).toBe('failed');
    expect(get('held open: remove')).toBe('failed');
    expect(get('held open: remove beside the other user')).toBe('denied');
    expect(get('held open: subflow lives')).toBe(true);
  });
});
