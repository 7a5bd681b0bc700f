import { describe, expect, it } from 'vitest';
import { Simulation } from '../../engine/simulation';
import { Timer } from '../../engine/timer';
import { Playout, type PlayoutOptions, type PlayoutReport } from './playout';

/** Ten frames a second of 1000 bytes each. */
const FRAME_MS = 100;
const options = { bufferMs: 200, catchUpRate: 2, maxLateMs: 5000 };

/** Plays `frames` frames that arrive at the given times: cumulative bytes by time. */
function play(
  frames: number,
  arrivals: readonly [atMs: number, bytes: number][],
  changes: Partial<PlayoutOptions> = {},
): PlayoutReport {
  const simulation = new Simulation(1);
  const film = {
    frameNs: FRAME_MS * 1e6,
    endBytes: Array.from({ length: frames }, (_, index) => 1000 * (index + 1)),
  };
  let arrived = 0;
  const take = (): void => playout.fill(Math.min(arrived, playout.wantedBytes));
  const playout: Playout = new Playout(simulation, film, { ...options, ...changes }, take);
  for (const [atMs, bytes] of arrivals) {
    new Timer(simulation, () => {
      arrived = bytes;
      take();
    }).setAt(atMs * 1e6);
  }
  simulation.run(60e9);
  return playout.report();
}

describe('Playout', () => {
  it('shows every frame on time when the data is there', () => {
    expect(play(10, [[50, 10_000]])).toEqual({
      frames: 10,
      shown: 10,
      discards: 0,
      underflows: [],
      startedAtMs: 50,
      endedAtMs: 950,
    });
  });

  it('fills its buffer before the first picture', () => {
    const { startedAtMs, endedAtMs } = play(3, [
      [10, 1000],
      [20, 1999],
      [30, 3000],
    ]);
    expect([startedAtMs, endedAtMs]).toEqual([30, 230]);
  });

  it('starts early when the film is shorter than the buffer', () => {
    expect(play(1, [[10, 1000]])).toMatchObject({ shown: 1, startedAtMs: 10, endedAtMs: 10 });
  });

  it('discards a frame that is incomplete at its time, and goes on', () => {
    // Frame 2 is due at 200 ms; its last bytes come at 250.
    const report = play(5, [
      [0, 2500],
      [250, 5000],
    ]);
    expect(report).toMatchObject({ shown: 4, discards: 1, underflows: [], endedAtMs: 400 });
  });

  it('freezes on an empty buffer until the buffer is full, then catches up', () => {
    // Frame 2, due at 200, begins to arrive at 300; two frames are complete at 450.
    const report = play(20, [
      [0, 2000],
      [300, 2500],
      [400, 3000],
      [450, 20_000],
    ]);
    expect(report.underflows).toEqual([{ atMs: 200, durationMs: 250 }]);
    expect(report).toMatchObject({ shown: 20, discards: 0 });
    // At twice the rate, 250 ms of delay are made up after five frames, so the film ends on time.
    expect(report.endedAtMs).toBe(1900);
  });

  it('shifts its clock when it is too late to catch up', () => {
    const arrivals: [number, number][] = [
      [0, 2000],
      [1000, 10_000],
    ];
    expect(play(10, arrivals, { maxLateMs: 799 }).endedAtMs).toBe(1700);
    expect(play(10, arrivals, { maxLateMs: 800 }).endedAtMs).toBe(1350);
  });

  it('plays at the rate of a link slower than the film, with an underflow at each empty buffer', () => {
    // At half the film's rate a frame arrives each 200 ms, its second half 100 ms after the first.
    const halves = Array.from({ length: 80 }, (_, index): [number, number] => [
      100 * (index + 1),
      500 * (index + 1),
    ]);
    const report = play(40, halves, { catchUpRate: 1, maxLateMs: 0 });
    // The pattern repeats each 800 ms. Two frames are complete at 0, and 0, 1 and 2 are shown at 0, 100 and
    // 200. Half of 3 has arrived at 300, so it is discarded. Nothing of 4 has arrived at 400: frozen until
    // two frames are complete at 800.
    expect(report).toMatchObject({ startedAtMs: 400, shown: 30, discards: 10, endedAtMs: 7900 });
    expect(report.underflows).toEqual(
      Array.from({ length: 9 }, (_, index) => ({ atMs: 800 * (index + 1), durationMs: 400 })),
    );
  });

  it('counts an underflow that does not end', () => {
    expect(play(5, [[0, 2000]])).toMatchObject({
      shown: 2,
      underflows: [{ atMs: 200, durationMs: 59_800 }],
      endedAtMs: undefined,
    });
  });
});
