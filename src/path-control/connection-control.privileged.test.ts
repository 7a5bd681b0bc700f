import { describe, expect } from 'vitest';
import { observe } from '../kernel/testing/private-network';

const { check, get } = observe('src/path-control/testing/connection-scenario.ts', 120_000);

// The scenario waits for each expected event and ends with an error if one is missing.
describe('path control with the path manager in user space, on a real kernel', () => {
  check('opens the second subflow of the watched connection, and of no other', () => {
    expect(get('capability')).toEqual({
      available: true,
      through: 'direct',
      scope: 'connections',
    });
    expect(get('alone')).toEqual([['10.0.1.2'], ['10.0.1.2']]);
    expect(get('joined ms')).toBeTypeOf('number');
    expect(get('other not joined')).toEqual(['10.0.1.2']);
  });

  check('makes a path a backup for one connection only', () => {
    expect(get('one is backup')).toEqual([['10.0.1.2 backup', '10.0.2.2'], ['10.0.1.2']]);
    expect(get('other flows')).toBeTypeOf('number');
    expect(get('back ms')).toBeTypeOf('number');
    expect(get('born a backup')).toEqual(['10.0.1.2', '10.0.2.2 backup']);
  });

  check(
    'ends subflows over a lost link or address, and opens them when there is a way again',
    () => {
      expect(get('takes over ms')).toBeTypeOf('number');
      expect(get('lost')).toEqual(['10.0.1.2 backup']);
      expect(get('listed')).toEqual(['c1 backup', 'c2 closed']);
      expect(get('no route yet')).toEqual(['10.0.1.2 backup']);
      expect(get('again ms')).toBeTypeOf('number');
      expect(get('first again ms')).toBeTypeOf('number');
      expect(get('details')).toEqual([
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
    expect(get('after close')).toEqual(['10.0.1.2', '10.0.2.2']);
    expect(get('endpoints')).toBe('');
  });

  check('keeps the contract of the port', () => {
    expect(get('contract')).toMatchObject({ failed: [] });
    expect((get('contract') as { count: number }).count).toBeGreaterThan(5);
  });
});

describe('the helper, with the path manager in user space', () => {
  check('missing, it leaves a control that says what it could do', () => {
    expect(get('without')).toMatchObject({ available: false });
    const text = JSON.stringify(get('without'));
    expect(text).toContain('mpd-pathctl');
    expect(text).toContain('in user space');
  });

  check('steers the connections of the user who calls, and undoes it', () => {
    expect(get('through')).toEqual({
      available: true,
      through: 'helper',
      scope: 'connections',
    });
    expect(get('through helper')).toEqual(['10.0.1.2', '10.0.2.2']);
  });

  check('killed, it leaves no backup behind', () => {
    expect(get('after the kill')).toContain('10.0.1.2');
  });

  check('refuses connections of others, absent ones, other servers, and random bytes', () => {
    const denied = 'error denied';
    expect(get('attack')).toEqual({
      codes: [denied, denied, denied, denied, denied, denied, 'error missing', denied],
      random: 0,
      ownOnly: [true],
    });
    expect(get('root untouched')).toEqual(['10.0.1.2']);
  });
});
