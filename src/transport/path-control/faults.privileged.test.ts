import { beforeAll, describe, expect } from 'vitest';
import { privilegedIt, privateNetworkRefusal, runPrivately } from '../testing/private-network';

const scenario = 'src/transport/path-control/testing/faults-scenario.ts';
const seen = new Map<string, unknown>();

beforeAll(async () => {
  if (process.env['CI'] !== 'true' && privateNetworkRefusal() !== undefined) return;
  for (const line of await runPrivately(scenario)) {
    const { name, value } = line as { name: string; value: unknown };
    seen.set(name, value);
  }
}, 240_000);

function check(name: string, body: () => void): void {
  privilegedIt(name, () => {
    body();
    return Promise.resolve();
  });
}

// The scenario waits for what has to happen and ends with an error where it does not.
describe('faults in mid-stream, on a real kernel', () => {
  check('a route that goes and comes back costs no endpoint, and the stream goes on', () => {
    for (const name of ['c1 without route ms', 'c2 without route ms', 'c2 with route ms']) {
      expect(seen.get(name)).toBeTypeOf('number');
    }
    expect(seen.get('as found without route')).toBe(true);
    expect(seen.get('as found with route')).toBe(true);
  });

  check('an address that goes and comes back: kept for the user, suspended where allowed', () => {
    expect(seen.get('c1 without address ms')).toBeTypeOf('number');
    expect(seen.get('kept without address')).toBe(true);
    expect(seen.get('c2 with address ms')).toBeTypeOf('number');
    expect(seen.get('as found with address')).toBe(true);
  });

  check('a helper that is killed: told, asked no more, and the stream goes on', () => {
    expect(seen.get('after the kill')).toMatchObject({
      available: false,
      reason: expect.stringContaining('the helper ended') as unknown,
    });
    expect(seen.get('asked after the kill')).toBe('LOST');
    expect(seen.get('c1 after the kill ms')).toBeTypeOf('number');
    expect(seen.get('left behind')).toBe(true);
  });

  check('what it left behind the next player puts back, for good', () => {
    expect(seen.get('next')).toEqual({ available: true, through: 'helper' });
    expect(seen.get('c2 for the next ms')).toBeTypeOf('number');
    expect(seen.get('as found by the next')).toBe(true);
  });

  check('what the user set stands, through the helper too', () => {
    expect(seen.get('of the user')).toEqual(['FOREIGN', 'FOREIGN', 'done']);
    expect(seen.get('own beside the user')).toEqual({ made: [], failures: [] });
    expect(seen.get('respected')).toBe(true);
  });

  check('endpoints of our own that the helper refuses are not made, and told', () => {
    expect(seen.get('own refused')).toMatchObject({
      made: [],
      failures: 2,
      why: expect.stringContaining('no MPTCP connection of yours') as unknown,
    });
    expect(seen.get('none made')).toBe(true);
  });
});
