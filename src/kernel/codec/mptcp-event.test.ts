import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mptcpEventKinds, parseMptcpEvent, type MptcpEvent } from './mptcp-event';
import { formatMptcpEvent } from './testing/format-mptcp-event';
import { NetlinkBytesError } from './netlink-attributes';
import { formatAddress } from './address';

const port = fc.integer({ min: 0, max: 65535 });
const ipv4 = fc.ipV4();
const ipv6 = fc
  .uint8Array({ minLength: 16, maxLength: 16 })
  .map((bytes) => formatAddress(bytes) ?? '')
  .filter((text) => text.includes(':'));
const end = fc.record({ address: fc.oneof(ipv4, ipv6), port });
const anyEvent = fc.record(
  {
    kind: fc.constantFrom(...Object.values(mptcpEventKinds)),
    token: fc.integer({ min: 0, max: 0xffffffff }),
    localId: fc.integer({ min: 0, max: 255 }),
    remoteId: fc.integer({ min: 0, max: 255 }),
    local: end,
    remote: end,
    backup: fc.boolean(),
    error: fc.integer({ min: 0, max: 255 }),
    interfaceIndex: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
    denyJoinInitial: fc.boolean(),
    resetReason: fc.integer({ min: 0, max: 0xffffffff }),
  },
  { requiredKeys: ['kind'] },
) as fc.Arbitrary<MptcpEvent>;

describe('parseMptcpEvent', () => {
  it('reads back every event the kernel can write', () => {
    fc.assert(
      fc.property(anyEvent, (event) => {
        const { command, payload } = formatMptcpEvent(event);
        expect(parseMptcpEvent(command, payload)).toEqual(event);
      }),
    );
  });

  it('decodes arbitrary bytes or throws its own error', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 20 }),
        fc.uint8Array({ maxLength: 200 }),
        (command, bytes) => {
          try {
            parseMptcpEvent(command, bytes);
          } catch (error) {
            expect(error).toBeInstanceOf(NetlinkBytesError);
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  it('survives every truncation and every flipped byte of a real message', () => {
    const { command, payload } = formatMptcpEvent({
      kind: 'subflow-established',
      token: 0x12345678,
      local: { address: '10.0.1.2', port: 40000 },
      remote: { address: '2001:db8::1', port: 443 },
      backup: false,
      interfaceIndex: 3,
    });
    const attempt = (bytes: Uint8Array): void => {
      try {
        parseMptcpEvent(command, bytes);
      } catch (error) {
        expect(error).toBeInstanceOf(NetlinkBytesError);
      }
    };
    for (let length = 0; length < payload.length; length += 1) attempt(payload.slice(0, length));
    for (let index = 0; index < payload.length; index += 1) {
      const damaged = Uint8Array.from(payload);
      damaged[index] = (damaged[index] ?? 0) ^ 0xff;
      attempt(damaged);
    }
  });

  it('names the wrong attribute', () => {
    const { command, payload } = formatMptcpEvent({ kind: 'closed', token: 1 });
    const short = Uint8Array.from(payload);
    new DataView(short.buffer).setUint16(0, 6, true);
    expect(() => parseMptcpEvent(command, short)).toThrow('attribute 1: 2 bytes, expected 4');
    new DataView(short.buffer).setUint16(0, 2, true);
    expect(() => parseMptcpEvent(command, short)).toThrow('attribute 1 at byte 0: bad length 2');
  });

  it('ignores events of newer kernels', () => {
    expect(parseMptcpEvent(200, new Uint8Array())).toBeUndefined();
  });

  it('reads bytes at an offset in their buffer', () => {
    const { command, payload } = formatMptcpEvent({ kind: 'closed', token: 77 });
    const roomy = new Uint8Array(payload.length + 3);
    roomy.set(payload, 3);
    expect(parseMptcpEvent(command, roomy.subarray(3))).toEqual({ kind: 'closed', token: 77 });
  });
});
