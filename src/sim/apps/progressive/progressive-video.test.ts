import { describe, expect, it } from 'vitest';
import { connectPaths } from '../../testing/two-paths';
import { createFilm } from './film';
import type { PlayoutReport } from './playout';
import { ProgressiveVideo } from './progressive-video';

const options = { bufferMs: 1000, catchUpRate: 1.25, maxLateMs: 5000 };
/** 10 s at 2 Mbit/s: 2.5 MB. */
const film = createFilm({ lengthMs: 10_000, rateBps: 2_000_000, framesPerSecond: 24, seed: 1 });

function watch(rateBps: readonly number[]): PlayoutReport & { loadedAtMs: number | undefined } {
  const { simulation, connection } = connectPaths(
    rateBps.map((rate) => ({ rateBps: rate, delayMs: 20 })),
    { receiveBufferBytes: 300_000 },
  );
  let loadedAtMs: number | undefined;
  const video = new ProgressiveVideo(simulation, connection, film, options, {
    onLoaded: () => (loadedAtMs = simulation.nowNs / 1e6),
    onEnd: () => simulation.stop(),
  });
  video.start();
  simulation.run(120e9);
  return { ...video.report(), loadedAtMs };
}

describe('ProgressiveVideo', () => {
  it('plays without a gap over paths that are faster than the film', () => {
    const report = watch([4e6, 4e6]);
    expect(report).toMatchObject({ frames: 240, shown: 240, discards: 0, underflows: [] });
    // The first second loads at 4 Mbit/s or more; then ten seconds less one frame.
    const { startedAtMs = NaN, endedAtMs = NaN, loadedAtMs = NaN } = report;
    expect(loadedAtMs).toBeLessThan(endedAtMs);
    expect(loadedAtMs).toBeGreaterThan(startedAtMs);
    expect(startedAtMs).toBeLessThan(1000);
    expect(endedAtMs - startedAtMs).toBeCloseTo(10_000 - 1000 / 24, 0);
  });

  it('discards pictures and underflows over a path that is slower than the film', () => {
    const report = watch([1.5e6]);
    expect(report.discards).toBeGreaterThan(0);
    expect(report.underflows.length).toBeGreaterThan(1);
    expect(report.shown + report.discards).toBe(240);
    // 2.5 MB at 1.5 Mbit/s less headers take 14 s at least.
    expect(report.endedAtMs).toBeGreaterThan(14_000);
  });

  it('reads no further ahead than its buffer and the receive buffer', () => {
    const { simulation, connection } = connectPaths([{ rateBps: 20e6, delayMs: 10 }], {
      receiveBufferBytes: 300_000,
    });
    new ProgressiveVideo(simulation, connection, film, options).start();
    simulation.run(5e9);
    // Less than 5 s have been shown and the buffer holds one second, which bounds the bytes read.
    const maxBytes = (film.endBytes[6 * 24] ?? 0) + 300_000;
    expect(connection.client.receivedBytes).toBeLessThan(maxBytes + 1000);
    expect(connection.client.receivedBytes).toBeGreaterThan(film.endBytes[4 * 24] ?? Infinity);
  });

  it('is deterministic', () => {
    expect(watch([1.5e6, 0.4e6])).toEqual(watch([1.5e6, 0.4e6]));
  });
});
