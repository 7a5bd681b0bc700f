import { expect, it } from 'vitest';
import { isoBoxes, isoBoxType, readableIsoBoxes } from './iso-boxes';

const box = (type: string, size: number, bytes = size): Uint8Array => {
  const data = new Uint8Array(bytes);
  new DataView(data.buffer).setUint32(0, size);
  data.set(new TextEncoder().encode(type), 4);
  return data;
};
const joined = (...parts: Uint8Array[]): Uint8Array =>
  Uint8Array.from(parts.flatMap((part) => [...part]));

it('finds the boxes in their order, also with a size of 64 bits', () => {
  const large = new Uint8Array(20);
  const view = new DataView(large.buffer);
  view.setUint32(0, 1);
  large.set(new TextEncoder().encode('mdat'), 4);
  view.setBigUint64(8, 20n);
  expect([...isoBoxes(joined(box('moof', 12), large))]).toEqual([
    { type: isoBoxType('moof'), start: 0, end: 12 },
    { type: isoBoxType('mdat'), start: 12, end: 32 },
  ]);
});

it('lets a last box of size 0 reach to the end, and one that is cut short beyond it', () => {
  expect([...isoBoxes(box('mdat', 0, 30))].at(-1)?.end).toBe(30);
  expect([...isoBoxes(box('mdat', 100, 30))].at(-1)?.end).toBe(100);
});

it('refuses a header that is cut short, and a size below that of the header', () => {
  const data = joined(box('moof', 12), new Uint8Array([0, 0, 0, 9]));
  expect(() => [...isoBoxes(data)]).toThrow('inside a box header at byte 12');
  expect([...readableIsoBoxes(data)]).toHaveLength(1);
  expect(() => [...isoBoxes(box('free', 4, 8))]).toThrow('box size 4 at byte 0');
  // 0 stands for the rest in the short size only.
  expect(() => [...isoBoxes(box('free', 1, 16))]).toThrow('box size 0 at byte 0');
});
