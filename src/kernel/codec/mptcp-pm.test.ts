import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatAddress } from './address';
import {
  encodeEndpoint,
  encodeRemoval,
  encodeSubflow,
  parseEndpoint,
  type MptcpEndpoint,
} from './mptcp-pm';
import {
  AttributeReader,
  AttributeWriter,
  NetlinkBytesError,
  readAttributes,
} from './netlink-attributes';

const ipv6 = fc
  .uint8Array({ minLength: 16, maxLength: 16 })
  .map((bytes) => formatAddress(bytes) ?? '');
const anyEndpoint: fc.Arbitrary<MptcpEndpoint> = fc.record({
  endpointId: fc.integer({ min: 0, max: 255 }),
  address: fc.oneof(fc.ipV4(), ipv6),
  port: fc.integer({ min: 0, max: 65535 }),
  flags: fc.integer({ min: 0, max: 0xffffffff }),
  interfaceIndex: fc.integer({ min: 0, max: 2 ** 31 - 1 }),
});

const attempt = (bytes: Uint8Array): void => {
  try {
    parseEndpoint(bytes);
  } catch (error) {
    expect(error).toBeInstanceOf(NetlinkBytesError);
  }
};

describe('an mptcp_pm endpoint', () => {
  it('reads back as it was written', () => {
    fc.assert(
      fc.property(anyEndpoint, (endpoint) => {
        expect(parseEndpoint(encodeEndpoint(endpoint))).toEqual(endpoint);
      }),
    );
  });

  it('decodes arbitrary bytes or throws its own error', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 120 }), attempt), { numRuns: 500 });
  });

  it('survives every truncation and every flipped byte', () => {
    const bytes = encodeEndpoint({
      endpointId: 7,
      address: '2001:db8::1',
      port: 443,
      flags: 6,
      interfaceIndex: 3,
    });
    for (let length = 0; length < bytes.length; length += 1) attempt(bytes.slice(0, length));
    for (let index = 0; index < bytes.length; index += 1) {
      const damaged = Uint8Array.from(bytes);
      damaged[index] = (damaged[index] ?? 0) ^ 0xff;
      attempt(damaged);
    }
  });

  it('matches the bytes of ip mptcp', () => {
    const bytes = encodeEndpoint({
      endpointId: 2,
      address: '10.0.2.2',
      port: 0,
      flags: 2,
      interfaceIndex: 0,
    });
    // Little-endian machine: nested 1 { family, id, addr4, flags }.
    expect(Buffer.from(bytes).toString('hex')).toBe(
      '24000180' +
        '0600010002000000' +
        '0500020002000000' +
        '080003000a000202' +
        '0800060002000000',
    );
  });

  it('refuses values that the kernel would refuse', () => {
    const good = { endpointId: 1, address: '10.0.0.1', port: 0, flags: 0, interfaceIndex: 0 };
    expect(() => encodeEndpoint({ ...good, address: 'wlan0' })).toThrow('not an IP address');
    expect(() => encodeEndpoint({ ...good, endpointId: 256 })).toThrow('not 0 to 255');
  });

  it('skips other address families and names missing attributes', () => {
    const of = (inner: AttributeWriter): Uint8Array =>
      new AttributeWriter().nested(1, inner).bytes();
    expect(parseEndpoint(of(new AttributeWriter().u16(1, 40)))).toBeUndefined();
    expect(() => parseEndpoint(of(new AttributeWriter().u16(1, 2)))).toThrow('without id');
    expect(() => parseEndpoint(new Uint8Array())).toThrow('no address');
  });
});

describe('an mptcp_pm subflow', () => {
  const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
  const token = fc.integer({ min: 0, max: 0xffffffff });
  const end = (endpointId: number, address: string, port: number): MptcpEndpoint => ({
    endpointId,
    address,
    port,
    flags: 0,
    interfaceIndex: 0,
  });

  /** Numbers of linux/mptcp_pm.h: 1 is the local address, 4 the token, 6 the remote address. */
  const endsOf = (bytes: Uint8Array): unknown => {
    const attributes = readAttributes(bytes);
    const remote = new AttributeWriter().raw(1, attributes.get(6) ?? new Uint8Array()).bytes();
    return {
      token: new AttributeReader(attributes).u32(4),
      local: parseEndpoint(bytes),
      remote: parseEndpoint(remote),
    };
  };

  it('reads back as it was written', () => {
    const ends = fc.record({ token, local: anyEndpoint, remote: anyEndpoint });
    fc.assert(
      fc.property(ends, (subflow) => {
        expect(endsOf(encodeSubflow(subflow))).toEqual(subflow);
        // Like the kernel, the reader accepts IPv4 in either form.
        expect(endsOf(encodeSubflow(subflow, true))).toEqual(subflow);
      }),
    );
  });

  it('matches the bytes of linux/mptcp_pm.h', () => {
    const subflow = {
      token: 0x01020304,
      local: end(9, '10.0.2.2', 0),
      remote: end(0, '10.0.1.1', 8080),
    };
    expect(hex(encodeSubflow(subflow))).toBe(
      '0800040004030201' +
        '24000180060001000200000005000200090000000800030' +
        '00a0002020800060000000000' +
        '2c000680060001000200000005000200000000000800030' +
        '00a00010108000600000000000600050' +
        '0901f0000',
    );
    expect(hex(encodeSubflow(subflow, true))).toContain('00000000000000000000ffff0a000202');
    expect(hex(encodeRemoval(0x01020304, 9))).toBe('08000400040302010500050009000000');
  });
});
