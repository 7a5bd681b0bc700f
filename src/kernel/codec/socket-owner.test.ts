import { describe, expect, it } from 'vitest';
import { encodeSocketLookup, readSocketOwner } from './socket-owner';

describe('a socket lookup', () => {
  it('matches the bytes of linux/inet_diag.h', () => {
    const bytes = encodeSocketLookup(
      { address: '127.0.0.1', port: 0xa1b2 },
      { address: '10.0.2.3', port: 8080 },
    );
    const zeros = (count: number): string => '00'.repeat(count);
    expect(Buffer.from(bytes).toString('hex')).toBe(
      `02060000ffffffffa1b21f907f000001${zeros(12)}0a000203${zeros(12)}${zeros(4)}${'ff'.repeat(8)}`,
    );
  });

  it('refuses an address that is not IPv4', () => {
    const end = { address: '127.0.0.1', port: 1 };
    expect(() => encodeSocketLookup({ address: '::1', port: 1 }, end)).toThrow('no IPv4 socket');
    expect(() => encodeSocketLookup(end, { address: 'lo', port: 1 })).toThrow('no IPv4 socket');
  });

  it('reads the owner, and none of a closed socket or a short answer', () => {
    const answer = (uid: number, inode: number): Uint8Array => {
      // Words before, as in a message that is a part of a larger buffer.
      const bytes = new Uint8Array(4 + 72 + 8);
      const words = new Uint32Array(bytes.buffer);
      words[1 + 64 / 4] = uid;
      words[1 + 68 / 4] = inode;
      return bytes.subarray(4);
    };
    expect(readSocketOwner(answer(65534, 4711))).toBe(65534);
    expect(readSocketOwner(answer(0, 0))).toBeUndefined();
    expect(readSocketOwner(answer(1000, 4711).subarray(0, 71))).toBeUndefined();
  });
});
