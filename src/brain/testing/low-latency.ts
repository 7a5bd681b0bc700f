import { createBrain, stepBrain, type BrainInput, type BrainState } from '..';
import type { Ladder } from '../../core';
import { batch, connection, subflow } from '../../core/testing/samples';

const SEGMENT_MS = 2000;
const CHUNK_MS = 250;
const SAMPLE_MS = 100;
/** Server to page: half a round trip, and the page's own delay. */
const ONE_WAY_MS = 25;
/** Resolution of the link. */
const STEP_MS = 5;
const TARGET_MS = 3000;

/** Of the ladder, ascending. */
export const bitratesBps = [300, 600, 1000, 1800, 3000, 4500, 6000].map((kbps) => kbps * 1000);
const ladder: Ladder = {
  mediaType: 'video',
  rungs: bitratesBps.map((bitrateBps, index) => ({
    index,
    representationId: String(index),
    bitrateBps,
  })),
};

/** The encoder's chunk that is on its way. */
interface Chunk {
  readyMs: number;
  bytes: number;
}

/** The rungs that a viewer behind one link got, and their delays, a segment after the other. */
export interface LowLatencyPlay {
  rungs: number[];
  /** Longest time from a chunk's end at the encoder to its arrival, in each segment. */
  lateMs: number[];
}

/**
 * A stream whose segments grow in chunks, over one link of a rate by time, to a player that is 3 s behind the encoder.
 * The brain receives the player's reports: samples, and the times in which chunks were due.
 */
export function playLowLatency(
  rateBpsAt: (segment: number) => number,
  segments: number,
): LowLatencyPlay {
  let state: BrainState = createBrain({ policy: 'all', abr: 'multipath' });
  const step = (input: BrainInput): void => {
    state = stepBrain(state, input).state;
  };
  let received = 0;
  let nowMs = 0;
  const sample = (): void => {
    step({
      type: 'samples',
      batch: batch(nowMs, [connection([subflow('wifi', received, { minRttUs: 40_000 })])]),
    });
  };
  sample();
  const play: LowLatencyPlay = { rungs: [], lateMs: [] };
  let currentRung = -1;
  for (let segment = 0; segment < segments; segment += 1) {
    const startMs = segment * SEGMENT_MS;
    // A segment is available once its first chunk is.
    advanceTo(startMs + CHUNK_MS);
    const decided = stepBrain(state, {
      type: 'decide',
      observation: {
        monotonicMs: nowMs,
        trigger: 'segment',
        mediaType: 'video',
        ladders: [ladder],
        currentRung: { video: currentRung },
        bufferMs: { video: segment === 0 ? 0 : TARGET_MS - (nowMs - startMs) },
        bufferTargetMs: 18_000,
        playing: segment > 0,
        requests: [],
        segmentDurationMs: { video: SEGMENT_MS },
        live: {
          latencyMs: TARGET_MS,
          targetLatencyMs: TARGET_MS,
          availableMs: nowMs - startMs,
          unitMs: CHUNK_MS,
        },
        control: 'none',
      },
    });
    state = decided.state;
    currentRung = decided.decision?.rungs.video ?? 0;
    play.rungs.push(currentRung);
    const chunkBytes = ((bitratesBps[currentRung] ?? 0) * CHUNK_MS) / 8000;
    const chunks: Chunk[] = Array.from({ length: SEGMENT_MS / CHUNK_MS }, (_, index) => ({
      readyMs: startMs + (index + 1) * CHUNK_MS,
      bytes: chunkBytes,
    }));
    const rateBps = rateBpsAt(segment);
    let latestMs = 0;
    let waitedMs = 0;
    let spanStartMs = nowMs;
    step({ type: 'request-start', request: { requestId: segment, startMs: nowMs } });
    for (const [index, chunk] of chunks.entries()) {
      if (nowMs < chunk.readyMs && index > 0) {
        advanceTo(chunk.readyMs);
        spanStartMs = nowMs;
        step({ type: 'request-start', request: { requestId: segment, startMs: nowMs } });
      }
      advanceTo(Math.max(nowMs, chunk.readyMs + (index === 0 ? 2 : 1) * ONE_WAY_MS));
      for (let left = chunk.bytes; left > 0;) {
        const bytes = Math.min(left, (rateBps * STEP_MS) / 8000);
        left -= bytes;
        received += bytes;
        advanceTo(nowMs + STEP_MS);
      }
      latestMs = Math.max(latestMs, nowMs - chunk.readyMs);
      const isLast = index === chunks.length - 1;
      const nextMs = chunks[index + 1]?.readyMs ?? 0;
      if (isLast || nowMs >= nextMs) continue;
      step({
        type: 'request-end',
        request: {
          ...{ requestId: segment, startMs: spanStartMs, endMs: nowMs },
          ...{ bytes: chunk.bytes, outcome: 'ok' },
        },
      });
      waitedMs += nowMs - spanStartMs;
    }
    waitedMs += nowMs - spanStartMs;
    const bytes = chunkBytes * chunks.length;
    step({
      type: 'request-end',
      request: {
        ...{ requestId: segment, mediaType: 'video', startMs: spanStartMs, endMs: nowMs },
        ...{ bytes: chunkBytes, outcome: 'ok', due: { bytes, ms: waitedMs, waits: chunks.length } },
      },
    });
    play.lateMs.push(latestMs);
  }
  return play;

  /** Samples on the way. */
  function advanceTo(endMs: number): void {
    while (nowMs < endMs) {
      const next = Math.min(endMs, (Math.floor(nowMs / SAMPLE_MS) + 1) * SAMPLE_MS);
      nowMs = next;
      if (next % SAMPLE_MS === 0) sample();
    }
  }
}
