import { describe, expect } from 'vitest';
import { observe } from '../kernel/testing/private-network';

const { check, get } = observe('src/path-control/testing/path-control-scenario.ts', 240_000, [
  'direct',
  'linkLoss',
  'crash',
  'contract',
  'helper',
]);

// The scenario waits for each expected event and ends with an error if one is missing.
describe('path control on a real kernel', () => {
  check('a backup carries nothing, an active path does again', () => {
    expect(get('capability')).toEqual({ available: true, through: 'direct' });
    for (const name of ['drained ms', 'c1 meanwhile', 'first byte ms']) {
      expect(get(name)).toBeTypeOf('number');
    }
  });

  check('works on the path of the first subflow, which has no endpoint', () => {
    expect(get('first drained ms')).toBeTypeOf('number');
    expect(get('own')).toMatchObject({ state: 'backup', origin: 'own', changed: true });
    expect(get('as found')).toBe(true);
  });

  check('never deletes an endpoint of another process by default', () => {
    expect(get('foreign kept')).toBe('FOREIGN');
    expect(get('foreign after loss')).toBe(true);
  });

  check('deletes the endpoint of a lost interface and brings it back', () => {
    expect(get('closed')).toEqual(['closed']);
    expect(get('c2 again ms')).toBeTypeOf('number');
    expect(get('c1 again ms')).toBeTypeOf('number');
    expect(get('details')).toEqual([
      'c2 was lost: its subflows are closed',
      'c2 is back',
      'c1 was lost: its subflows are closed',
      'c1 is back',
      'all changes of paths were undone',
    ]);
    expect(get('as found after loss')).toBe(true);
  });

  check('undoes what a killed player left, and respects what others changed', () => {
    expect(get('changed by the victim')).toBe(true);
    expect(get('left behind')).toBe(true);
    expect(get('as found after crash')).toBe(true);
    expect(get('others respected')).toBe(true);
  });

  check('keeps the contract of the port', () => {
    expect(get('contract')).toMatchObject({ failed: [] });
    expect((get('contract') as { count: number }).count).toBeGreaterThan(5);
  });
});

describe('the helper, for an ordinary user', () => {
  check('does what that user may, and puts it back when the player vanishes', () => {
    expect(get('through')).toEqual({ available: true, through: 'helper' });
    expect(get('own through helper')).toEqual({ made: ['c1', 'c2'], failures: [] });
    expect(get('helper drained ms')).toBeTypeOf('number');
    expect(get('as found after nobody')).toBe(true);
  });

  check('refuses a user without a connection there, and random bytes', () => {
    expect(get('stranger')).toEqual(['FOREIGN', 'FOREIGN', 'DENIED']);
    expect(get('random')).toEqual({ ok: ['7 ok'], refused: true });
    expect(get('as found after stranger')).toBe(true);
  });

  check('missing, it leaves a control that says what it could do', () => {
    expect(get('without')).toMatchObject({ available: false });
    expect(JSON.stringify(get('without'))).toContain('mpd-pathctl');
  });
});
