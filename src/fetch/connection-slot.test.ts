import { expect, it } from 'vitest';
import { holdsUp, makeSlot, placesOf, type Turn } from './connection-slot';

const turn = (isPaused: boolean): Turn => ({
  mayFollow: true,
  isPaused,
  isMoved: false,
  nextMs: undefined,
  onNext: () => undefined,
});

it.each([
  [false, 0, 0],
  [false, 200_000, 2],
  [true, 0, 2],
])(
  'a line begins after 200 kB, on a far path at once (far: %s, %s bytes)',
  (isFar, receivedBytes, free) => {
    const slot = makeSlot({});
    slot.connection = { http2: false, socket: { destroyed: false } } as never;
    slot.line.push(turn(false));
    slot.receivedBytes = receivedBytes;
    expect(placesOf([slot], 3, isFar)).toEqual([{ slot, free }]);
  },
);

it.each([
  [false, true],
  [true, false],
])(
  'a reader that pauses holds others up over HTTP/1.1, not over HTTP/2 (HTTP/2: %s)',
  (http2, holds) => {
    const [paused, other] = [turn(true), turn(false)];
    const slot = makeSlot({});
    slot.connection = { http2 } as never;
    slot.line.push(paused, other);
    expect(holdsUp(slot, paused)).toBe(holds);
  },
);
