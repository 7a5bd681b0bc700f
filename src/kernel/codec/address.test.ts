import { isIPv6 } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addressBytes, formatAddress, formatEndpoint } from './address';

const v6 = (groups: number[]): Uint8Array =>
  Uint8Array.from(groups.flatMap((group) => [group >> 8, group & 0xff]));

describe('formatAddress', () => {
  it.each([
    [[0x2001, 0xdb8, 0, 0, 1, 0, 0, 1], '2001:db8::1:0:0:1'],
    [[0, 0, 0, 0, 0, 0, 0, 1], '::1'],
    [[0, 0, 0, 0, 0, 0, 0, 0], '::'],
    [[0xfe80, 0, 0, 0, 1, 2, 3, 4], 'fe80::1:2:3:4'],
    [[0x2001, 0xdb8, 0, 1, 1, 1, 1, 1], '2001:db8:0:1:1:1:1:1'],
    [[1, 2, 3, 4, 5, 6, 0, 0], '1:2:3:4:5:6::'],
    [[0, 0, 0, 0, 0, 0xffff, 0x0a00, 0x0102], '10.0.1.2'],
  ])('%j is %s', (groups, text) => {
    expect(formatAddress(v6(groups))).toBe(text);
  });

  it('gives valid IPv6 that parses to the same bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 16, maxLength: 16 }), (bytes) => {
        const text = formatAddress(bytes) ?? '';
        fc.pre(text.includes(':'));
        expect(isIPv6(text)).toBe(true);
        expect(addressBytes(text)).toEqual(bytes);
      }),
    );
  });

  it('refuses any other length', () => {
    expect(formatAddress(new Uint8Array(6))).toBeUndefined();
  });

  it('puts IPv6 in brackets before a port', () => {
    expect(formatEndpoint({ address: '::1', port: 80 })).toBe('[::1]:80');
    expect(formatEndpoint({ address: '10.0.0.1', port: 80 })).toBe('10.0.0.1:80');
  });
});

describe('addressBytes', () => {
  it.each([
    '',
    '1.2.3',
    '1.2.3.256',
    '01.2.3.4',
    '::1%eth0',
    '1:2',
    ':::',
    '1::2::3',
    '::g',
    '1:2:3:4:5:6:7::8:9',
  ])('refuses %j', (text) => {
    expect(addressBytes(text)).toBeUndefined();
  });

  it('parses IPv4 in network order', () => {
    expect(addressBytes('10.0.1.2')).toEqual(Uint8Array.of(10, 0, 1, 2));
  });
});
