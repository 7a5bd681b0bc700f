import { describe, expect } from 'vitest';
import { observe } from '../testing/private-network';

const { get, check } = observe('src/kernel/testing/tentative-scenario.ts', 60_000);

describe('an IPv6 address, on a real kernel', () => {
  check('is not there during duplicate address detection, in events and dumps', () => {
    expect(get('during the detection')).toEqual({ changes: [], holders: [] });
    expect(get('to a late reader')).toBe('none');
  });

  check('is there after it, and at once without it', () => {
    expect(get('after the detection')).toEqual({ changes: ['address-added c1'], holders: ['c1'] });
    expect(get('without detection')).toBe('c1');
  });

  check('is the last choice while it is deprecated', () => {
    expect(get('beside a deprecated one')).toEqual(['2001:db8::3', '2001:db8::2']);
  });

  check('never is where it is a duplicate', () => {
    expect(get('of a duplicate')).toEqual({ changes: [], holders: ['c1'] });
  });
});
