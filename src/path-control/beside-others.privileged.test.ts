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
});
