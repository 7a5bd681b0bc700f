import { describe, expect } from 'vitest';
import { observe } from '../kernel/testing/private-network';

const { check, get } = observe('src/path-control/testing/faults-scenario.ts', 240_000);

// The scenario waits for each expected event and ends with an error if one is missing.
describe('faults during a stream, on a real kernel', () => {
  check('a route that goes and comes back costs no endpoint, and the stream goes on', () => {
    for (const name of ['c1 without route ms', 'c2 without route ms', 'c2 with route ms']) {
      expect(get(name)).toBeTypeOf('number');
    }
    expect(get('as found without route')).toBe(true);
    expect(get('as found with route')).toBe(true);
  });

  check('an address that goes and comes back: kept for the user, suspended where allowed', () => {
    expect(get('c1 without address ms')).toBeTypeOf('number');
    expect(get('kept without address')).toBe(true);
    expect(get('c2 with address ms')).toBeTypeOf('number');
    expect(get('as found with address')).toBe(true);
  });

  check('a killed helper is reported, receives no more requests, and the stream continues', () => {
    expect(get('after the kill')).toMatchObject({
      available: false,
      reason: expect.stringContaining('the helper ended') as unknown,
    });
    expect(get('asked after the kill')).toBe('LOST');
    expect(get('c1 after the kill ms')).toBeTypeOf('number');
  });

  check('a helper that is killed leaves no endpoint behind, and the next player can use it', () => {
    expect(get('as found after the kill')).toBe(true);
    expect(get('own of the next')).toEqual({ made: ['c1', 'c2'], failures: [] });
    expect(get('next')).toEqual({ available: true, through: 'helper' });
    expect(get('c2 for the next ms')).toBeTypeOf('number');
    expect(get('as found by the next')).toBe(true);
  });

  check('what the user set stands, through the helper too', () => {
    expect(get('of the user')).toEqual(['FOREIGN', 'FOREIGN', 'done']);
    expect(get('own beside the user')).toEqual({ made: [], failures: [] });
    expect(get('respected')).toBe(true);
  });

  check('own endpoints that the helper refuses are not made, and reported', () => {
    expect(get('own refused')).toMatchObject({
      made: [],
      failures: 2,
      why: expect.stringContaining('no MPTCP connection of yours') as unknown,
    });
    expect(get('none made')).toBe(true);
  });
});
