import { createRandom } from '../../core';
import type { ObservedPath } from '../observation';
import { path } from './observations';

/** Slow start below the link's capacity, then additive growth. */
function growth(sendBps: number): number {
  return sendBps < 3e6 ? sendBps : 3e5;
}

/**
 * Two flows that fill either one common droptail queue or one each. The capacity and the sending rates vary,
 * as congestion windows do. Arrivals share the link in proportion to the sent bytes. Base round trips are 30
 * and 50 ms. With `segmentSteps`, this number of steps alternates with half as many without a request, in
 * which queues empty.
 */
export function fluidQueues(
  shared: boolean,
  seed: number,
  queueMs: number,
  segmentSteps = Infinity,
): (step: number) => ObservedPath[] {
  const random = createRandom(seed);
  const links = shared ? [{ bps: 8e6 }] : [{ bps: 4e6 }, { bps: 4e6 }];
  const queues = links.map(() => queueMs / 2);
  const sends = [4e6, 4e6];
  const stepMs = 100;
  return (step) => {
    if (segmentSteps < Infinity && step % (1.5 * segmentSteps) >= segmentSteps) {
      queues.fill(0);
      sends.fill(1e6);
      return [0, 1].map((i) =>
        path(i === 0 ? 'a' : 'b', 4e6, { throughputBps: undefined, rcvRttMs: 30 + 20 * i }),
      );
    }
    for (const i of [0, 1]) {
      const link = shared ? 0 : i;
      const full = (queues[link] ?? 0) > 0.9 * queueMs;
      // Additive growth. A full queue costs one of its flows its window.
      const cut = full && random() < (shared ? 0.5 : 0.8);
      sends[i] = Math.max(
        1e6,
        (sends[i] ?? 0) * (cut ? 0.6 : 1) + growth(sends[i] ?? 0) * random(),
      );
    }
    const capacity = links.map(({ bps }) => bps * (0.85 + 0.3 * random()));
    const offered = links.map((_, link) =>
      shared ? (sends[0] ?? 0) + (sends[1] ?? 0) : (sends[link] ?? 0),
    );
    for (const [link, bps] of capacity.entries()) {
      const grown = (queues[link] ?? 0) + (((offered[link] ?? 0) - bps) / bps) * stepMs;
      queues[link] = Math.min(queueMs, Math.max(0, grown));
    }
    return ['a', 'b'].map((id, i) => {
      const link = shared ? 0 : i;
      const share = (sends[i] ?? 0) / Math.max(1, offered[link] ?? 1);
      const busy = (queues[link] ?? 0) > 0;
      const rate = busy ? (capacity[link] ?? 0) * share : (sends[i] ?? 0);
      const jitter = 1 + 0.05 * (random() - 0.5);
      return path(id, rate * jitter, { rcvRttMs: (30 + 20 * i + (queues[link] ?? 0)) * jitter });
    });
  };
}
