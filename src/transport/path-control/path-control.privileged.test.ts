import { beforeAll, describe, expect } from 'vitest';
import { privilegedIt, privateNetworkRefusal, runPrivately } from '../testing/private-network';

const scenario = 'src/transport/path-control/testing/path-control-scenario.ts';
const seen = new Map<string, unknown>();

beforeAll(async () => {
  if (process.env['CI'] !== 'true' && privateNetworkRefusal() !== undefined) return;
  for (const part of ['direct', 'linkLoss', 'crash', 'contract', 'helper']) {
    for (const line of await runPrivately(scenario, part)) {
      const { name, value } = line as { name: string; value: unknown };
      seen.set(name, value);
    }
  }
}, 240_000);

function check(name: string, body: () => void): void {
  privilegedIt(name, () => {
    body();
    return Promise.resolve();
  });
}

// The scenario waits for what has to happen and ends with an error where it does not.
describe('path control on a real kernel', () => {
  check('a backup carries nothing, an active path does again', () => {
    expect(seen.get('capability')).toEqual({ available: true, through: 'direct' });
    for (const name of ['drained ms', 'c1 meanwhile', 'first byte ms']) {
      expect(seen.get(name)).toBeTypeOf('number');
    }
  });

  check('works on the path of the first subflow, which has no endpoint', () => {
    expect(seen.get('first drained ms')).toBeTypeOf('number');
    expect(seen.get('own')).toMatchObject({ state: 'backup', origin: 'own', changed: true });
    expect(seen.get('as found')).toBe(true);
  });

  check('never deletes what somebody else made, unless told to', () => {
    expect(seen.get('foreign kept')).toBe('FOREIGN');
    expect(seen.get('foreign after loss')).toBe(true);
  });

  check('deletes the endpoint of a lost interface and brings it back', () => {
    expect(seen.get('closed')).toEqual(['closed']);
    expect(seen.get('c2 again ms')).toBeTypeOf('number');
    expect(seen.get('c1 again ms')).toBeTypeOf('number');
    expect(seen.get('details')).toEqual([
      'c2 was lost: its subflows are closed',
      'c2 is back',
      'c1 was lost: its subflows are closed',
      'c1 is back',
      'everything is as found',
    ]);
    expect(seen.get('as found after loss')).toBe(true);
  });

  check('undoes what a killed player left, and respects what others changed', () => {
    expect(seen.get('changed by the victim')).toBe(true);
    expect(seen.get('left behind')).toBe(true);
    expect(seen.get('as found after crash')).toBe(true);
    expect(seen.get('others respected')).toBe(true);
  });

  check('keeps the contract of the port', () => {
    expect(seen.get('contract')).toMatchObject({ failed: [] });
    expect((seen.get('contract') as { count: number }).count).toBeGreaterThan(5);
  });
});

describe('the helper, for an ordinary user', () => {
  check('does what that user may, and puts it back when the player vanishes', () => {
    expect(seen.get('through')).toEqual({ available: true, through: 'helper' });
    expect(seen.get('helper drained ms')).toBeTypeOf('number');
    expect(seen.get('as found after nobody')).toBe(true);
  });

  check('refuses a user without a connection there, and random bytes', () => {
    expect(seen.get('stranger')).toEqual(['DENIED', 'DENIED', 'DENIED']);
    expect(seen.get('random')).toEqual({ ok: ['7 ok'], refused: true });
    expect(seen.get('as found after stranger')).toBe(true);
  });

  check('missing, it leaves a control that says what it could do', () => {
    expect(seen.get('without')).toMatchObject({ available: false });
    expect(JSON.stringify(seen.get('without'))).toContain('mpd-pathctl');
  });
});
