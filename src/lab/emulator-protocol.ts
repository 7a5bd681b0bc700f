import * as v from 'valibot';

const count = v.pipe(v.number(), v.minValue(0));

const ratio = v.pipe(v.number(), v.minValue(0), v.maxValue(1));

const directionSchema = v.object({
  /** Infinity if unlimited, which JSON writes as null. */
  rateBps: v.pipe(
    v.nullable(count),
    v.transform((rateBps) => rateBps ?? Infinity),
  ),
  delayUs: count,
  lossRatio: ratio,
  /** True during a scheduled outage. */
  isOut: v.boolean(),
  queue: v.string(),
  queueBytes: count,
  queuePackets: count,
  /** Absent for queues of the kernel but PIE, which alone reports a delay. */
  queueDelayMeanUs: v.optional(count),
  queueDelayP99Us: v.optional(count),
  queueDelayMaxUs: v.optional(count),
  /** PIE: the probability that an arriving packet is dropped or marked. */
  dropProbability: ratio,
  inPackets: count,
  inBytes: count,
  outPackets: count,
  outBytes: count,
  queueDrops: count,
  queueMarks: count,
  lossDrops: count,
  stateDrops: count,
  writeErrors: count,
  lateMeanUs: count,
  lateP50Us: count,
  lateP99Us: count,
  lateMaxUs: count,
});

const middleboxSchema = v.object({
  mpCapableStripped: count,
  mpJoinStripped: count,
  addAddrDropped: count,
  natRewritten: count,
  /** Packets to the NAT's address without a mapping, or without a free port. */
  natDrops: count,
  natMappings: count,
  /** Connections reset. */
  resets: count,
});

const linkSchema = v.object({
  name: v.string(),
  state: v.picklist(['up', 'down', 'blackhole']),
  ab: directionSchema,
  ba: directionSchema,
  /** Counters of a link that has, or once had, a middlebox; from the link's creation. */
  middlebox: v.optional(middleboxSchema),
});

/** One line of the emulator's output (native/link/README.md). */
export const emulatorLineSchema = v.variant('type', [
  v.object({ type: v.literal('ready') }),
  v.object({
    type: v.literal('reply'),
    ok: v.boolean(),
    field: v.optional(v.string()),
    error: v.optional(v.string()),
  }),
  v.object({ type: v.literal('stats'), monotonicUs: count, links: v.array(linkSchema) }),
  v.object({ type: v.literal('sample'), monotonicUs: count, links: v.array(linkSchema) }),
  v.object({ type: v.literal('error'), link: v.string(), error: v.string() }),
]);

export type EmulatorLine = v.InferOutput<typeof emulatorLineSchema>;

/**
 * One direction. Counters run from the link's creation; `late*` and `queueDelay*` cover the time since the
 * previous report of the same kind, requested or periodic.
 */
export type EmulatorDirectionStats = v.InferOutput<typeof directionSchema>;

/** One link; in a lab `ab` is client to server, `ba` server to client. */
export type LinkStats = v.InferOutput<typeof linkSchema>;

/** All links at one instant of CLOCK_MONOTONIC. */
export interface LinkSample {
  monotonicUs: number;
  links: LinkStats[];
}
