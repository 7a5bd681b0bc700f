import { createBrain, stepBrain, type BrainInput, type BrainState } from '..';
import { createRandom, type CarriageKind, type Ladder } from '../../core';
import { batch, connection, subflow } from '../../core/testing/samples';

const SEGMENT_MS = 2000;
const CHUNK_MS = 250;
const CHUNKS = SEGMENT_MS / CHUNK_MS;
const SAMPLE_MS = 100;
const TARGET_MS = 3000;
const PACKET_BYTES = 1448;
/** Bytes under way that a path takes before the scheduler uses the next one: a congestion window of 20 packets. */
const WINDOW_BYTES = 30_000;

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

/** One network: its rate in each segment, and half of its round trip. */
export interface ModelledPath {
  id: string;
  rateBps: (segment: number) => number;
  oneWayMs: number;
}

/** The rungs that a viewer got, and their delays, a segment after the other. */
export interface LowLatencyPlay {
  rungs: number[];
  /** Longest time from a chunk's end at the encoder to its arrival, in each segment. */
  lateMs: number[];
  /** The forecast at the choice of each rung. */
  forecastsBps: number[];
}

/**
 * A stream whose segments grow in chunks of varying size, to a player that is 3 s behind the encoder. The scheduler fills
 * the window of the first path, then that of the next one. The brain receives the player's reports: samples, and the times in
 * which chunks were due.
 */
export function playLowLatency(
  paths: readonly ModelledPath[],
  segments: number,
  carriage: CarriageKind = 'mptcp',
): LowLatencyPlay {
  let state: BrainState = createBrain({ policy: 'all', abr: 'multipath', carriage });
  const step = (input: BrainInput): void => {
    state = stepBrain(state, input).state;
  };
  const random = createRandom(7);
  /** Of each path: the end of its last transmission. */
  const freeMs = paths.map(() => 0);
  /** In sending order. */
  const packets: { path: number; bytes: number; hereMs: number }[] = [];
  let nowMs = 0;
  sample();
  const play: LowLatencyPlay = { rungs: [], lateMs: [], forecastsBps: [] };
  let currentRung = -1;
  for (let segment = 0; segment < segments; segment += 1) {
    const startMs = segment * SEGMENT_MS;
    // A segment is available once its first chunk is.
    advanceTo(startMs + CHUNK_MS);
    const askedMs = nowMs;
    const { decision, ...decided } = stepBrain(state, {
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
    currentRung = decision?.rungs.video ?? 0;
    play.rungs.push(currentRung);
    play.forecastsBps.push(decision?.forecast.rateBps ?? 0);
    const readyMs = (chunk: number): number => startMs + (chunk + 1) * CHUNK_MS;
    const sent = Array.from({ length: CHUNKS }, (_, chunk) => {
      // A chunk with a key frame is larger.
      const share = (chunk === 0 ? 1.5 : 13 / 14) * (0.8 + 0.4 * random());
      const bytes = Math.round((share * (bitratesBps[currentRung] ?? 0) * CHUNK_MS) / 8000);
      return { bytes, hereMs: send(segment, Math.max(readyMs(chunk), askedMs + 20), bytes) };
    });
    let spanMs = askedMs;
    const end = (bytes: number): BrainInput & { type: 'request-end' } => ({
      type: 'request-end',
      request: { requestId: segment, startMs: spanMs, endMs: nowMs, bytes, outcome: 'ok' },
    });
    let latestMs = 0;
    let spanBytes = 0;
    for (const [chunk, { bytes, hereMs }] of sent.entries()) {
      if (nowMs < readyMs(chunk)) {
        step(end(spanBytes));
        advanceTo(readyMs(chunk));
        [spanMs, spanBytes] = [nowMs, 0];
      }
      const pacedUntilMs = Math.max(spanMs, readyMs(chunk + 1));
      step({
        type: 'request-start',
        request: { requestId: segment, startMs: spanMs, pacedUntilMs },
      });
      advanceTo(Math.max(nowMs, hereMs));
      latestMs = Math.max(latestMs, nowMs - readyMs(chunk));
      spanBytes += bytes;
    }
    step(end(spanBytes));
    play.lateMs.push(latestMs);
  }
  return play;

  /** @returns arrival of the last byte */
  function send(segment: number, fromMs: number, bytes: number): number {
    let lastMs = fromMs;
    for (let left = bytes; left > 0; left -= PACKET_BYTES) {
      const size = Math.min(PACKET_BYTES, left);
      // Time until a path has room in its window, and the first path among equals.
      const windowMs = paths.map(({ rateBps }) => (WINDOW_BYTES * 8000) / rateBps(segment));
      const roomMs = freeMs.map((free, path) => Math.max(0, free - fromMs - (windowMs[path] ?? 0)));
      const path = roomMs.indexOf(Math.min(...roomMs));
      const { rateBps, oneWayMs } = paths[path] ?? { rateBps: () => 1, oneWayMs: 0 };
      const leftMs = Math.max(fromMs, freeMs[path] ?? 0) + (size * 8000) / rateBps(segment);
      freeMs[path] = leftMs;
      packets.push({ path, bytes: size, hereMs: leftMs + oneWayMs });
      lastMs = Math.max(lastMs, leftMs + oneWayMs);
    }
    return lastMs;
  }

  function sample(): void {
    const received = paths.map(() => 0);
    let inOrderBytes = 0;
    let isInOrder = true;
    for (const { path, bytes, hereMs } of packets) {
      isInOrder &&= hereMs <= nowMs;
      if (hereMs > nowMs) continue;
      received[path] = (received[path] ?? 0) + bytes;
      if (isInOrder) inOrderBytes += bytes;
    }
    const subflows = paths.map(({ id, oneWayMs }, path) =>
      subflow(id, received[path] ?? 0, { minRttUs: 2000 * oneWayMs }),
    );
    step({ type: 'samples', batch: batch(nowMs, [connection(subflows, { inOrderBytes })]) });
  }

  /** Samples on the way. */
  function advanceTo(endMs: number): void {
    while (nowMs < endMs) {
      nowMs = Math.min(endMs, (Math.floor(nowMs / SAMPLE_MS) + 1) * SAMPLE_MS);
      if (nowMs % SAMPLE_MS === 0) sample();
    }
  }
}
