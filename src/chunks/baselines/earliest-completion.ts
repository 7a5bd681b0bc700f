import { pickScheduler } from '../pick-scheduler';

/**
 * The network that would complete the chunk first, even if it has no room yet (ECF: Lim, Nahum, Towsley, Gibbens,
 * CoNEXT 2017, with chunks in place of packets).
 */
export const earliestCompletion = pickScheduler<null>({
  name: 'earliest-completion',
  summary:
    'Each chunk over the network that would complete it first, even if that has to be waited for',
  start: () => null,
  pick: (memory, able) => {
    const completionMs = (readyMs: number, rateBps: number, bytes: number): number =>
      readyMs + (bytes * 8000) / rateBps;
    const bytes = Math.min(...able.map(({ chunkBytes }) => chunkBytes));
    const worker = [...able].sort(
      (a, b) =>
        completionMs(a.readyMs, a.rateBps, bytes) - completionMs(b.readyMs, b.rateBps, bytes),
    )[0];
    return { memory, worker };
  },
});
