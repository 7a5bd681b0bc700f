import * as v from 'valibot';

const sumSchema = v.object({ bytes: v.number() });
const streamSchema = v.object({ bytes: v.number(), start: v.number(), end: v.number() });
const serverSchema = v.object({
  /** One-second intervals. */
  intervals: v.optional(v.array(v.object({ streams: v.array(streamSchema) })), []),
  end: v.object({ sum_received: v.optional(sumSchema) }),
});
const clientSchema = v.object({
  end: v.object({
    sum_sent: v.optional(v.object({ seconds: v.number() })),
    sender_tcp_congestion: v.optional(v.string()),
  }),
  error: v.optional(v.string()),
});

export interface IperfResult {
  goodputBps: number;
  /** The congestion control that the sender's connections really used. */
  congestionControl: string | undefined;
}

/** Concatenated JSON values: iperf3's server prints one per test. */
function firstJson(text: string): unknown {
  const end = text.indexOf('\n}');
  return JSON.parse(end === -1 ? text : text.slice(0, end + 2)) as unknown;
}

/** Bytes received in whole seconds: the only figure if the receiver was ended before the sender's report. */
function ofIntervals(
  intervals: v.InferOutput<typeof serverSchema>['intervals'],
): { bytes: number; seconds: number } | undefined {
  const streams = intervals.flatMap((one) => one.streams);
  if (streams.length === 0) return undefined;
  const startS = Math.min(...streams.map(({ start }) => start));
  const endS = Math.max(...streams.map(({ end }) => end));
  return {
    bytes: streams.reduce((sum, { bytes }) => sum + bytes, 0),
    seconds: endS - startS,
  };
}

/**
 * Goodput of a bulk transfer, from the JSON of both ends: only the receiver knows the bytes received, and
 * only the interrupted sender the duration.
 * @throws Error (of JSON or schema) if a report is incomplete
 */
export function parseIperf(senderText: string, receiverText: string): IperfResult {
  const sender = v.parse(clientSchema, firstJson(senderText));
  const receiver = v.parse(serverSchema, firstJson(receiverText));
  const whole = { bytes: receiver.end.sum_received?.bytes, seconds: sender.end.sum_sent?.seconds };
  const { bytes, seconds = 0 } =
    whole.bytes === undefined ? (ofIntervals(receiver.intervals) ?? whole) : whole;
  if (bytes === undefined || seconds <= 0) {
    throw new Error(`iperf3 measured nothing: ${sender.error ?? 'no sums in its report'}`);
  }
  return {
    goodputBps: (bytes * 8) / seconds,
    congestionControl: sender.end.sender_tcp_congestion,
  };
}
