import { describe, expect, it } from 'vitest';
import {
  encodeRouteLookup,
  encodeSystemRouteLookup,
  isUsableRoute,
  routeInterface,
} from './route-lookup';

describe('a route lookup', () => {
  it('matches the bytes of linux/rtnetlink.h', () => {
    const bytes = encodeRouteLookup('10.0.1.1', '10.0.2.2', 3);
    expect(Buffer.from(bytes).toString('hex')).toBe(
      '022020000000000000200000' + '080001000a000101' + '080002000a000202' + '0800040003000000',
    );
    const v6 = encodeRouteLookup('fd00::1', 'fd00::2', 3);
    expect([...v6.subarray(0, 3)]).toEqual([10, 128, 128]);
    expect(v6).toHaveLength(12 + 20 + 20 + 8);
    const anySource = encodeRouteLookup('10.0.1.1', undefined, 3);
    expect(Buffer.from(anySource).toString('hex')).toBe(
      '022000000000000000200000' + '080001000a000101' + '0800040003000000',
    );
  });

  it('refuses impossible questions', () => {
    expect(() => encodeRouteLookup('wlan0', '10.0.0.1', 1)).toThrow('no route');
    expect(() => encodeRouteLookup('fd00::1', '10.0.0.1', 1)).toThrow('no route');
    expect(() => encodeRouteLookup('10.0.0.1', 'wlan0', 1)).toThrow('no route');
    expect(() => encodeRouteLookup('wlan0', undefined, 1)).toThrow('no route');
  });

  it('asks for the system’s own route without source and interface', () => {
    const bytes = encodeSystemRouteLookup('10.0.1.1');
    expect(Buffer.from(bytes).toString('hex')).toBe(
      '022000000000000000000000' + '080001000a000101',
    );
    expect([...encodeSystemRouteLookup('fd00::1').subarray(0, 3)]).toEqual([10, 128, 0]);
    expect(() => encodeSystemRouteLookup('wlan0')).toThrow('no route');
  });

  it('reads the interface of a route that carries packets', () => {
    const answer = (type: number): Uint8Array =>
      Uint8Array.of(2, 32, 0, 0, 254, 0, 0, type, 0, 0, 0, 0, 8, 0, 4, 0, 3, 0, 0, 0);
    expect(routeInterface(answer(1))).toBe(3);
    expect(routeInterface(answer(7))).toBeUndefined();
    expect(routeInterface(answer(1).subarray(0, 12))).toBeUndefined();
  });

  it('accepts only a unicast route', () => {
    const answer = (type: number): Uint8Array =>
      Uint8Array.of(2, 0, 0, 0, 254, 0, 0, type, 0, 0, 0, 0);
    expect(isUsableRoute(answer(1))).toBe(true);
    expect(isUsableRoute(answer(7))).toBe(false);
    expect(isUsableRoute(new Uint8Array())).toBe(false);
  });
});
