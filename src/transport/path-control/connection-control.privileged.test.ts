import { beforeAll, describe, expect } from 'vitest';
import { privilegedIt, privateNetworkRefusal, runPrivately } from '../testing/private-network';

const scenario = 'src/transport/path-control/testing/connection-scenario.ts';
const seen = new Map<string, unknown>();

beforeAll(async () => {
  if (process.env['CI'] !== 'true' && privateNetworkRefusal() !== undefined) return;
  for (const line of await runPrivately(scenario)) {
    const { name, value } = line as { name: string; value: unknown };
    seen.set(name, value);
  }
}, 120_000);

function check(name: string, body: () => void): void {
  privilegedIt(name, () => {
    body();
    return Promise.resolve();
  });
}

// The scenario waits for what has to happen and ends with an error where it does not.
describe('path control with the path manager in user space, on a real kernel', () => {
  check('opens the second subflow of the watched connection, and of no other', () => {
    expect(seen.get('capability')).toEqual({
      available: true,
      through: 'direct',
      scope: 'connections',
    });
    expect(seen.get('alone')).toEqual([['10.0.1.2'], ['10.0.1.2']]);
    expect(seen.get('joined ms')).toBeTypeOf('number');
    expect(seen.get('other not joined')).toEqual(['10.0.1.2']);
  });

  check('makes a path a backup for one connection only', () => {
    expect(seen.get('one is backup')).toEqual([['10.0.1.2 backup', '10.0.2.2'], ['10.0.1.2']]);
    expect(seen.get('other flows')).toBeTypeOf('number');
    expect(seen.get('back ms')).toBeTypeOf('number');
    expect(seen.get('born a backup')).toEqual(['10.0.1.2', '10.0.2.2 backup']);
  });

  check(
    'ends subflows over a lost link or address, and opens them when there is a way again',
    () => {
      expect(seen.get('takes over ms')).toBeTypeOf('number');
      expect(seen.get('lost')).toEqual(['10.0.1.2 backup']);
      expect(seen.get('listed')).toEqual(['c1 backup', 'c2 closed']);
      expect(seen.get('no route yet')).toEqual(['10.0.1.2 backup']);
      expect(seen.get('again ms')).toBeTypeOf('number');
      expect(seen.get('first again ms')).toBeTypeOf('number');
      expect(seen.get('details')).toEqual([
        'c1 is backup',
        'c2 was lost: its subflows are closed',
        'c2 is back',
        'c1 is active',
        'c2 is closed',
        'c2 is backup',
        'c2 is active',
        'c1 was lost: its subflows are closed',
        'c1 is back',
      ]);
    },
  );

  check('leaves no backup, no subflow and no endpoint behind', () => {
    expect(seen.get('after close')).toEqual(['10.0.1.2', '10.0.2.2']);
    expect(seen.get('endpoints')).toBe('');
  });

  check('keeps the contract of the port', () => {
    expect(seen.get('contract')).toMatchObject({ failed: [] });
    expect((seen.get('contract') as { count: number }).count).toBeGreaterThan(5);
  });
});

describe('the helper, with the path manager in user space', () => {
  check('missing, it leaves a control that says what it could do', () => {
    expect(seen.get('without')).toMatchObject({ available: false });
    const text = JSON.stringify(seen.get('without'));
    expect(text).toContain('mpd-pathctl');
    expect(text).toContain('in user space');
  });

  check('steers the connections of the user who calls, and undoes it', () => {
    expect(seen.get('through')).toEqual({
      available: true,
      through: 'helper',
      scope: 'connections',
    });
    expect(seen.get('through helper')).toEqual(['10.0.1.2', '10.0.2.2']);
  });

  check('refuses connections of others, absent ones, other servers, and random bytes', () => {
    const denied = 'error denied';
    expect(seen.get('attack')).toEqual({
      codes: [denied, denied, denied, denied, denied, denied, 'error missing', denied],
      random: 0,
      ownOnly: [true],
    });
    expect(seen.get('root untouched')).toEqual(['10.0.1.2']);
  });
});
