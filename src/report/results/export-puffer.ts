import type { LogEvent } from '../../session-log';
import { csvText } from './csv';

const head = [
  ...['time', 'session_id', 'path_id', 'connection_id', 'subflow_id', 'state', 'cwnd'],
  ...['in_flight', 'min_rtt', 'rtt', 'delivery_rate', 'bytes_received', 'rcv_rtt'],
];

/**
 * Transport samples with the column names of Puffer's data (`video_sent`): a row per subflow and sample.
 * `time` in ns of the Unix epoch, round trips in µs, `delivery_rate` in byte/s. The rate is from the
 * receiver's own counter, because the kernel's `delivery_rate` is meaningless there. `cwnd` and `in_flight`
 * are the server's and stay empty. Columns from `path_id` to `state` and the last two are ours.
 */
export function pufferCsv(events: readonly LogEvent[], sessionId: string): string {
  const config = events.find((event) => event.type === 'config');
  const startedMs = Date.parse(config?.startedAt ?? '');
  const epoch = (ms: number): string =>
    config && Number.isFinite(startedMs)
      ? String(BigInt(startedMs) * 1_000_000n + BigInt(Math.round((ms - config.monotonicMs) * 1e6)))
      : '';
  const before = new Map<string, { atMs: number; bytes: number }>();
  const rows = events.flatMap((event) => {
    if (event.type !== 'samples') return [];
    const atMs = event.batch.monotonicMs;
    return event.batch.connections.flatMap((connection) =>
      connection.subflows.map((subflow) => {
        const key = `${connection.connectionId} ${subflow.subflowId}`;
        const last = before.get(key);
        before.set(key, { atMs, bytes: subflow.bytesReceived });
        const rate =
          last && atMs > last.atMs
            ? ((subflow.bytesReceived - last.bytes) * 1000) / (atMs - last.atMs)
            : null;
        return [
          ...[epoch(atMs), sessionId, subflow.pathId, connection.connectionId, subflow.subflowId],
          ...[subflow.state, null, null, subflow.minRttUs, subflow.rttUs, rate],
          ...[subflow.bytesReceived, subflow.rcvRttUs],
        ];
      }),
    );
  });
  return csvText(head, rows);
}
