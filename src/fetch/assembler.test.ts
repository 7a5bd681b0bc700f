import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Assembler } from './assembler';

const TEXT = 'abcdefghijklmnopqrstuvwxyz';
const takeAll = (assembler: Assembler): string => {
  let out = '';
  for (let next = assembler.take(); next; next = assembler.take()) out += next.toString();
  return out;
};
const piece = (start: number, end: number): Buffer => Buffer.from(TEXT.slice(start, end));

describe('Assembler', () => {
  it('keeps bytes that wait for an earlier one', () => {
    const assembler = new Assembler();
    assembler.add(5, piece(5, 8));
    expect(assembler.take()).toBeUndefined();
    expect(assembler.received()).toEqual([{ start: 5, end: 8 }]);
    expect(assembler.waitingBytes).toBe(3);
    assembler.add(0, piece(0, 5));
    expect(takeAll(assembler)).toBe('abcdefgh');
    expect(assembler.received()).toEqual([{ start: 0, end: 8 }]);
  });

  it('knows the first missing byte before anything is given out', () => {
    const assembler = new Assembler();
    assembler.add(0, piece(0, 5));
    expect(assembler.missingByte).toBe(5);
    assembler.add(8, piece(8, 10));
    expect(assembler.missingByte).toBe(5);
    assembler.add(5, piece(5, 8));
    expect(assembler.missingByte).toBe(10);
    takeAll(assembler);
    expect(assembler.missingByte).toBe(10);
  });

  it('counts what arrives twice', () => {
    const assembler = new Assembler();
    expect(assembler.add(0, piece(0, 10))).toBe(10);
    assembler.take();
    expect(assembler.add(5, piece(5, 15))).toBe(5);
    expect(assembler.duplicateBytes).toBe(5);
  });

  it('keeps many tiny pieces in few buffers, and large ones as they are', () => {
    const assembler = new Assembler();
    const large = Buffer.alloc(50_000);
    const tiny = 50_000;
    assembler.add(1 + tiny, large);
    for (let at = 1; at <= tiny; at += 1) assembler.add(at, Buffer.from([at % 251]));
    assembler.add(0, Buffer.from([0]));
    const given: Buffer[] = [];
    for (let next = assembler.take(); next; next = assembler.take()) given.push(next);
    expect(given.length).toBeLessThan(20);
    expect(given.at(-1)?.buffer).toBe(large.buffer);
    const joined = Buffer.concat(given);
    expect(joined.length).toBe(1 + tiny + large.length);
    expect(joined.subarray(0, tiny + 1).every((byte, at) => byte === at % 251)).toBe(true);
  });

  it('gives out every byte once and in order, whatever the pieces', () => {
    const bounds = fc.tuple(fc.nat(TEXT.length), fc.nat(TEXT.length));
    fc.assert(
      fc.property(fc.array(bounds, { maxLength: 40 }), (pieces) => {
        const assembler = new Assembler();
        let out = '';
        let added = 0;
        let fresh = 0;
        for (const [a, b] of [...pieces, [0, TEXT.length]]) {
          const [start, end] = [Math.min(a ?? 0, b ?? 0), Math.max(a ?? 0, b ?? 0)];
          added += end - start;
          fresh += assembler.add(start, piece(start, end));
          out += takeAll(assembler);
          expect(out).toBe(TEXT.slice(0, out.length));
          const received = assembler.received();
          for (let i = 1; i < received.length; i += 1) {
            expect(received[i]?.start).toBeGreaterThan(received[i - 1]?.end ?? 0);
          }
        }
        expect(out).toBe(TEXT);
        expect(fresh).toBe(TEXT.length);
        expect(assembler.duplicateBytes).toBe(added - fresh);
        expect(assembler.waitingBytes).toBe(0);
      }),
    );
  });
});
