import { describe, expect } from 'vitest';
import { observe } from '../testing/private-network';

describe('the watch for tunnels, on a real kernel', () => {
  const { get, check } = observe('src/kernel/testing/tunnel-scenario.ts', 60_000);

  check('sees a VPN that takes the default route, and its end', () => {
    expect(get('before the first look')).toBe('unknown');
    expect(get('at first')).toBe('none');
    expect(get('both halves of the default route')).toBe('tap0');
    expect(get('tap0 is gone')).toBe('none');
  });

  check('sees a VPN that a rule puts into use, without an event', () => {
    expect(get('a rule')).toBe('wg0');
  });

  check('counts the route to the stream’s server', () => {
    expect(get('a route to the unknown server')).toBe('none');
    expect(get('a route to the server')).toBe('ppp0');
    expect(get('changes')).toBe(6);
  });

  check('ignores interfaces that carry nothing of the system', () => {
    expect(get('tap0 without a route')).toBe('none');
  });
});
