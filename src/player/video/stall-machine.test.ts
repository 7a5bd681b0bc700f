import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  initialStallState,
  observeElement,
  stallTotals,
  type ElementState,
  type StallChange,
  type StallState,
} from './stall-machine';

const playing: ElementState = {
  nowMs: 0,
  positionMs: 0,
  readyState: 4,
  paused: false,
  seeking: false,
  ended: false,
};

function run(looks: Partial<ElementState>[]): { state: StallState; changes: StallChange[] } {
  let state = initialStallState;
  const changes: StallChange[] = [];
  for (const look of looks) {
    const result = observeElement(state, { ...playing, ...look });
    state = result.state;
    if (result.change) changes.push(result.change);
  }
  return { state, changes };
}

const started = [
  { nowMs: 0, positionMs: 0, readyState: 1 },
  { nowMs: 500, positionMs: 0 },
  { nowMs: 750, positionMs: 250 },
];

describe('stall machine', () => {
  it('does not count the start-up wait', () => {
    const { changes } = run([
      { nowMs: 0, readyState: 0 },
      { nowMs: 100, readyState: 2 },
      { nowMs: 900, readyState: 4 },
      { nowMs: 1000, positionMs: 100 },
    ]);
    expect(changes).toEqual([]);
  });

  it('counts a rebuffer from the loss of data until time moves again', () => {
    const { state, changes } = run([
      ...started,
      { nowMs: 1000, positionMs: 500, readyState: 2 },
      { nowMs: 1800, positionMs: 500, readyState: 4 },
      { nowMs: 2000, positionMs: 520, readyState: 4 },
    ]);
    expect(changes).toEqual([
      { phase: 'start', atMs: 1000 },
      { phase: 'end', atMs: 2000, durationMs: 1000 },
    ]);
    expect(stallTotals(state, 5000)).toEqual({ count: 1, totalMs: 1000 });
  });

  it('includes a running stall in the totals', () => {
    const { state } = run([
      ...started,
      { nowMs: 1000, positionMs: 500, readyState: 2 },
      { nowMs: 1120, positionMs: 500, readyState: 2 },
    ]);
    expect(stallTotals(state, 1700)).toEqual({ count: 1, totalMs: 700 });
  });

  it('ignores a hitch of a few frames', () => {
    const { state, changes } = run([
      ...started,
      { nowMs: 1000, positionMs: 500, readyState: 2 },
      { nowMs: 1060, positionMs: 500, readyState: 4 },
      { nowMs: 1080, positionMs: 520, readyState: 4 },
    ]);
    expect(changes).toEqual([]);
    expect(stallTotals(state, 5000)).toEqual({ count: 0, totalMs: 0 });
  });

  it('counts a stall first observed after its end', () => {
    const { changes } = run([
      ...started,
      { nowMs: 1000, positionMs: 500, readyState: 2 },
      { nowMs: 1500, positionMs: 520 },
      { nowMs: 1520, positionMs: 540 },
    ]);
    expect(changes).toEqual([
      { phase: 'start', atMs: 1000 },
      { phase: 'end', atMs: 1520, durationMs: 520 },
    ]);
  });

  it('does not count waiting after a seek, and counts again once time moves', () => {
    const { changes } = run([
      ...started,
      { nowMs: 1000, positionMs: 9000, readyState: 1, seeking: true },
      { nowMs: 1500, positionMs: 9000, readyState: 2 },
      { nowMs: 2000, positionMs: 9000, readyState: 4 },
      { nowMs: 2250, positionMs: 9250 },
      { nowMs: 2500, positionMs: 9500, readyState: 2 },
      { nowMs: 2600, positionMs: 9500, readyState: 2 },
    ]);
    expect(changes).toEqual([{ phase: 'start', atMs: 2500 }]);
  });

  it('ends a stall when the viewer pauses or seeks or the stream ends', () => {
    for (const excuse of [{ paused: true }, { seeking: true }, { ended: true }]) {
      const { changes } = run([
        ...started,
        { nowMs: 1000, positionMs: 500, readyState: 2 },
        { nowMs: 1200, positionMs: 500, readyState: 2 },
        { nowMs: 1300, positionMs: 500, readyState: 2, ...excuse },
        { nowMs: 1600, positionMs: 500, readyState: 2, ...excuse },
      ]);
      expect(changes.map((change) => change.phase)).toEqual(['start', 'end']);
      expect(changes[1]).toMatchObject({ durationMs: 300 });
    }
  });

  it('does not count a pause with an empty buffer', () => {
    const { changes } = run([
      ...started,
      { nowMs: 1000, positionMs: 500, paused: true },
      { nowMs: 1250, positionMs: 500, readyState: 2, paused: true },
    ]);
    expect(changes).toEqual([]);
  });

  /** Observes a film of 24 frames a second every 250 ms; `shown` gives the displayed frames. */
  const looks = (count: number, shown: (look: number) => number): Partial<ElementState>[] =>
    Array.from({ length: count }, (_, look) => ({
      nowMs: look * 250,
      positionMs: look * 250,
      frames: shown(look),
    }));

  it('counts a picture that freezes while the audio continues', () => {
    const { state, changes } = run(
      looks(20, (look) => (look < 8 ? look : look < 14 ? 7 : look) * 6),
    );
    expect(changes).toEqual([
      { phase: 'start', atMs: 1750 },
      { phase: 'end', atMs: 3500, durationMs: 1750 },
    ]);
    expect(stallTotals(state, 5000)).toEqual({ count: 1, totalMs: 1750 });
  });

  it('counts a position that stands still with buffered media, without a picture too', () => {
    const stuck = { nowMs: 1000, positionMs: 500 };
    const { changes } = run([
      ...started,
      stuck,
      { ...stuck, nowMs: 1500 },
      { ...stuck, nowMs: 1600 },
    ]);
    expect(changes).toEqual([{ phase: 'start', atMs: 1000 }]);
  });

  it('counts neither a slide show nor a hidden page as a freeze', () => {
    const slides = run(looks(60, (look) => Math.floor(look / 6)));
    expect(slides.changes).toEqual([]);
    const hidden = run(
      looks(20, (look) => look * 6).map((look, index) =>
        index > 8 ? { ...look, frames: undefined } : look,
      ),
    );
    expect(hidden.changes).toEqual([]);
  });

  it('counts one stall if a late frame arrives while the position stands', () => {
    const stuck = { positionMs: 1750, readyState: 2 };
    const { changes } = run([
      ...looks(8, (look) => look * 6),
      { ...stuck, nowMs: 2000, frames: 48 },
      { ...stuck, nowMs: 2250, frames: 48 },
      { ...stuck, nowMs: 2500, frames: 49 },
      { ...stuck, nowMs: 3500, frames: 49 },
      { ...stuck, nowMs: 4000, frames: 49 },
      { nowMs: 4500, positionMs: 1790, frames: 50 },
    ]);
    expect(changes).toEqual([
      { phase: 'start', atMs: 2000 },
      { phase: 'end', atMs: 4500, durationMs: 2500 },
    ]);
  });

  it('counts one stall if first the picture freezes and then the position stops', () => {
    const stuck = { positionMs: 2750, readyState: 2 };
    const { changes } = run([
      ...looks(12, (look) => Math.min(look, 7) * 6),
      { ...stuck, nowMs: 3000, frames: 42 },
      { ...stuck, nowMs: 3250, frames: 43 },
      { ...stuck, nowMs: 4000, frames: 43 },
      { nowMs: 4500, positionMs: 2790, frames: 44 },
    ]);
    expect(changes).toEqual([
      { phase: 'start', atMs: 1750 },
      { phase: 'end', atMs: 4500, durationMs: 2750 },
    ]);
  });

  it('counts one stall if a frame is shown long before the position moves', () => {
    const stuck = { positionMs: 1750, readyState: 2 };
    const { changes } = run([
      ...looks(8, (look) => look * 6),
      { ...stuck, nowMs: 2000, frames: 48 },
      { ...stuck, nowMs: 3000, frames: 49 },
      { nowMs: 3700, positionMs: 1790, frames: 49 },
      { nowMs: 3800, positionMs: 1890, frames: 49 },
      { nowMs: 3900, positionMs: 1990, frames: 51 },
    ]);
    expect(changes).toEqual([
      { phase: 'start', atMs: 2000 },
      { phase: 'end', atMs: 3700, durationMs: 1700 },
    ]);
  });

  it('does not end a freeze because a reset decoder restarts its frame count', () => {
    const { changes } = run(looks(20, (look) => (look < 8 ? look * 6 : look < 12 ? 42 : 0)));
    expect(changes).toEqual([{ phase: 'start', atMs: 1750 }]);
  });

  it('alternates start and end and adds up, for any sequence of element states', () => {
    const look = fc.record({
      stepMs: fc.integer({ min: 1, max: 500 }),
      moveMs: fc.integer({ min: 0, max: 500 }),
      readyState: fc.integer({ min: 0, max: 4 }),
      paused: fc.boolean(),
      seeking: fc.boolean(),
      ended: fc.boolean(),
      frames: fc.option(fc.integer({ min: 0, max: 50 }), { nil: undefined }),
    });
    fc.assert(
      fc.property(fc.array(look, { maxLength: 60 }), (looks) => {
        let nowMs = 0;
        let positionMs = 0;
        const { state, changes } = run(
          looks.map(({ stepMs, moveMs, ...rest }) => {
            nowMs += stepMs;
            positionMs += moveMs;
            return { nowMs, positionMs, ...rest };
          }),
        );
        changes.forEach((change, index) =>
          expect(change.phase).toBe(index % 2 === 0 ? 'start' : 'end'),
        );
        // Two stalls never overlap.
        const times = changes.map(({ atMs }) => atMs);
        expect(times).toEqual([...times].sort((a, b) => a - b));
        const summedMs = changes.reduce(
          (sum, change) => sum + (change.phase === 'end' ? change.durationMs : 0),
          0,
        );
        expect(state.totalMs).toBe(summedMs);
        expect(state.count).toBe(Math.ceil(changes.length / 2));
      }),
    );
  });
});
