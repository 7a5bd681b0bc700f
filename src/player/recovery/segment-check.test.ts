import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { emptyIsoBox } from '../../core';
import { describeTruncation } from './segment-check';

function box(type: string, payloadBytes: number): Uint8Array {
  const bytes = new Uint8Array(8 + payloadBytes).fill(0xab);
  new DataView(bytes.buffer).setUint32(0, bytes.length);
  bytes.set(new TextEncoder().encode(type), 4);
  return bytes;
}

function concat(parts: Uint8Array[]): ArrayBuffer {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    all.set(part, offset);
    offset += part.length;
  }
  return all.buffer;
}

const boxes = fc
  .array(fc.integer({ min: 0, max: 300 }), { minLength: 1, maxLength: 6 })
  .map((sizes) => sizes.map((size) => box('mdat', size)));

describe('describeTruncation', () => {
  it('accepts whole segments', () => {
    fc.assert(
      fc.property(boxes, (parts) => {
        expect(describeTruncation(concat(parts))).toBeUndefined();
      }),
    );
  });

  it('finds every cut except at a box boundary', () => {
    fc.assert(
      fc.property(boxes, fc.nat(), (parts, seed) => {
        const whole = concat(parts);
        const boundaries = new Set<number>();
        let offset = 0;
        for (const part of parts) boundaries.add((offset += part.length));
        const cut = 1 + (seed % whole.byteLength);
        if (boundaries.has(cut)) return;
        expect(describeTruncation(whole.slice(0, cut))).toMatch(/cut short|inside a box header/);
      }),
    );
  });

  it('reads 64-bit sizes', () => {
    const bytes = new Uint8Array(32);
    const view = new DataView(bytes.buffer);
    view.setUint32(0, 1);
    view.setBigUint64(8, 32n);
    expect(describeTruncation(bytes.buffer)).toBeUndefined();
    expect(describeTruncation(bytes.buffer.slice(0, 31))).toContain('1 bytes are missing');
  });

  it('refuses bytes without boxes, and leaves WebM to the browser', () => {
    expect(describeTruncation(new Uint8Array([0, 0, 0, 3, 1, 2, 3, 4, 5]).buffer)).toContain(
      'not ISO BMFF',
    );
    expect(describeTruncation(new ArrayBuffer(0))).toContain('empty');
    expect(describeTruncation(new Uint8Array([0x1a, 0x45, 0xdf]).buffer)).toBeUndefined();
  });

  it('never throws on arbitrary bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        describeTruncation(new Uint8Array(bytes).buffer);
      }),
    );
  });

  it('accepts the empty replacement segment', () => {
    expect(describeTruncation(emptyIsoBox())).toBeUndefined();
  });
});
