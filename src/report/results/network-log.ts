import * as v from 'valibot';

const directionSchema = v.object({
  /** Absent for a queue of the kernel that does not report it. */
  queueDelayMeanUs: v.optional(v.number()),
  queueBytes: v.optional(v.number()),
  /** Null without a limit. */
  rateBps: v.nullish(v.number()),
  outPackets: v.number(),
  outBytes: v.number(),
  queueDrops: v.number(),
  queueMarks: v.optional(v.number()),
  lossDrops: v.optional(v.number()),
  /** Lost while the link was down, blackholed or in an outage. */
  stateDrops: v.optional(v.number()),
  inPackets: v.number(),
});

const lineSchema = v.object({
  monotonicMs: v.number(),
  links: v.array(v.object({ name: v.string(), ab: directionSchema, ba: directionSchema })),
});

/**
 * One line of `network.jsonl`: the queues of all links at one instant. Counters run from the link's creation.
 */
export type NetworkSample = v.InferOutput<typeof lineSchema>;
export type QueueSample = v.InferOutput<typeof directionSchema>;

export interface NetworkLog {
  samples: NetworkSample[];
  /** Number of invalid lines; a torn last line is not counted. */
  badLines: number;
}

/** Reads the text of a `network.jsonl`. */
export function parseNetworkLog(text: string): NetworkLog {
  const lines = text.split('\n');
  const log: NetworkLog = { samples: [], badLines: 0 };
  for (const [i, line] of lines.entries()) {
    if (line === '') continue;
    const sample = parseLine(line);
    if (sample) log.samples.push(sample);
    else if (i < lines.length - 1) log.badLines += 1;
  }
  return log;
}

function parseLine(line: string): NetworkSample | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  const parsed = v.safeParse(lineSchema, value);
  return parsed.success ? parsed.output : undefined;
}

/** One direction of one link between two instants. */
export interface QueueInterval {
  atMs: number;
  ms: number;
  /** Mean queueing delay of the packets that left; null if none did, or if the log does not have it. */
  delayMs: number | null;
  packets: number;
  bytes: number;
  arrived: number;
  dropped: number;
  marked: number;
}

/** The intervals of every direction, by link and `ab` or `ba`, within a time range. */
export function queueIntervals(
  samples: readonly NetworkSample[],
  fromMs: number,
  toMs: number,
): Map<string, Record<'ab' | 'ba', QueueInterval[]>> {
  const result = new Map<string, Record<'ab' | 'ba', QueueInterval[]>>();
  let before: NetworkSample | undefined;
  for (const sample of samples) {
    const inside = sample.monotonicMs > fromMs && sample.monotonicMs <= toMs;
    for (const link of before && inside ? sample.links : []) {
      const last = before?.links.find((one) => one.name === link.name);
      if (!before || !last) continue;
      const known = result.get(link.name) ?? { ab: [], ba: [] };
      result.set(link.name, known);
      const ms = sample.monotonicMs - before.monotonicMs;
      for (const side of ['ab', 'ba'] as const) {
        known[side].push(interval(sample.monotonicMs, ms, last[side], link[side]));
      }
    }
    before = sample;
  }
  return result;
}

function interval(atMs: number, ms: number, from: QueueSample, to: QueueSample): QueueInterval {
  // A recreated link counts from 0 again.
  const grown = (a = 0, b = 0): number => (b >= a ? b - a : b);
  const packets = grown(from.outPackets, to.outPackets);
  const { queueDelayMeanUs } = to;
  return {
    atMs,
    ms,
    delayMs: packets > 0 && queueDelayMeanUs !== undefined ? queueDelayMeanUs / 1000 : null,
    packets,
    bytes: grown(from.outBytes, to.outBytes),
    arrived: grown(from.inPackets, to.inPackets),
    dropped:
      grown(from.queueDrops, to.queueDrops) +
      grown(from.lossDrops, to.lossDrops) +
      grown(from.stateDrops, to.stateDrops),
    marked: grown(from.queueMarks, to.queueMarks),
  };
}
