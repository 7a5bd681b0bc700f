import * as v from 'valibot';
import type { PathSpec } from './path-spec';

const count = v.pipe(v.number(), v.minValue(0));

const directionSchema = v.object({
  rateBps: count,
  delayUs: count,
  lossRatio: v.pipe(v.number(), v.minValue(0), v.maxValue(1)),
  queue: v.string(),
  queueBytes: count,
  queuePackets: count,
  inPackets: count,
  inBytes: count,
  outPackets: count,
  outBytes: count,
  queueDrops: count,
  lossDrops: count,
  stateDrops: count,
  writeErrors: count,
  lateMeanUs: count,
  lateMaxUs: count,
});

const linkStateSchema = v.picklist(['up', 'down', 'blackhole']);

const linkSchema = v.object({
  name: v.string(),
  state: linkStateSchema,
  ab: directionSchema,
  ba: directionSchema,
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
  v.object({ type: v.literal('error'), link: v.string(), error: v.string() }),
]);

export type EmulatorLine = v.InferOutput<typeof emulatorLineSchema>;

/** `down`: no carrier at either end. `blackhole`: carrier, and everything vanishes. */
export type LinkState = v.InferOutput<typeof linkStateSchema>;

/** Counters of one direction since the link was made; `late*` since the previous report. */
export type LinkDirectionStats = v.InferOutput<typeof directionSchema>;

/** One link; in a lab `ab` is client to server, `ba` server to client. */
export type LinkStats = v.InferOutput<typeof linkSchema>;

/** A change of a running link, in both directions. */
export interface LinkChange {
  state?: LinkState;
  rateBps?: number;
  /** One way. */
  delayMs?: number;
  lossRatio?: number;
}

/** One end of a link. `netns` is a namespace file; without it the end is in the caller's namespace. */
export interface LinkEnd {
  netns?: string;
  device: string;
  /** `10.77.1.2/24` */
  address: string;
}

export interface LinkOptions extends PathSpec {
  name: string;
  a: LinkEnd;
  b: LinkEnd;
  seed: number;
}

function delayUs(delayMs: number): number {
  return Math.round(delayMs * 1000);
}

function endFields(side: 'a' | 'b', end: LinkEnd): string[] {
  return [
    `${side}.netns=${end.netns ?? '-'}`,
    `${side}.dev=${end.device}`,
    `${side}.addr=${end.address}`,
  ];
}

/** The command line that makes a link. */
export function linkCommand(options: LinkOptions): string {
  return [
    'link',
    options.name,
    ...endFields('a', options.a),
    ...endFields('b', options.b),
    `rate=${String(options.rateBps)}`,
    `delay_us=${String(delayUs(options.delayMs))}`,
    `loss=${String(options.lossRatio)}`,
    'queue=droptail',
    `queue_bytes=${String(options.queueBytes)}`,
    `seed=${String(options.seed)}`,
  ].join(' ');
}

/** The command line that changes a running link. */
export function setCommand(name: string, change: LinkChange): string {
  return [
    'set',
    name,
    ...(change.state === undefined ? [] : [change.state]),
    ...(change.rateBps === undefined ? [] : [`rate=${String(change.rateBps)}`]),
    ...(change.delayMs === undefined ? [] : [`delay_us=${String(delayUs(change.delayMs))}`]),
    ...(change.lossRatio === undefined ? [] : [`loss=${String(change.lossRatio)}`]),
  ].join(' ');
}
