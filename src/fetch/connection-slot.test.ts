import { expect, it } from 'vitest';
import { holdsUp, makeSlot, type Turn } from './connection-slot';

it.each([
  [false, true],
  [true, false],
])(
  'a reader that pauses holds others up over HTTP/1.1, not over HTTP/2 (HTTP/2: %s)',
  (http2, holds) => {
    const turn = (isPaused: boolean): Turn => ({
      mayFollow: true,
      isPaused,
      isMoved: false,
      nextMs: undefined,
      onNext: () => undefined,
    });
    const [paused, other] = [turn(true), turn(false)];
    const slot = makeSlot({});
    slot.connection = { http2 } as never;
    slot.line.push(paused, other);
    expect(holdsUp(slot, paused)).toBe(holds);
  },
);
