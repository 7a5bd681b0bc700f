import { quantile } from '../../core';
import type { Metric, MetricValue } from '../../qoe';
import type { Scenario, TrafficResult } from '../../scenario';
import { queueIntervals, type NetworkSample, type QueueInterval } from './network-log';

/**
 * Metrics of the links, per direction, over the time of the session. Names end in the link and its direction:
 * `queueDelayMeanMs.wifi.ba` is of the packets from node b to node a.
 */
export function networkMetrics(
  scenario: Pick<Scenario, 'topology'>,
  samples: readonly NetworkSample[],
  fromMs: number,
  toMs: number,
): MetricValue[] {
  const intervals = queueIntervals(samples, fromMs, toMs);
  return scenario.topology.links.flatMap(({ id, a, b }) =>
    (['ab', 'ba'] as const).flatMap((side) => {
      const [from, to] = side === 'ab' ? [a, b] : [b, a];
      const where = { suffix: `${id}.${side}`, place: `${id}, ${from} to ${to}` };
      return directionMetrics(where, intervals.get(id)?.[side] ?? []);
    }),
  );
}

interface Where {
  suffix: string;
  place: string;
}

function named(
  { suffix, place }: Where,
  metric: Omit<Metric, 'headline'>,
  value: number | null,
): MetricValue {
  return {
    metric: {
      ...metric,
      name: `${metric.name}.${suffix}`,
      label: `${metric.label}: ${place}`,
      headline: false,
    },
    value,
  };
}

function directionMetrics(where: Where, intervals: readonly QueueInterval[]): MetricValue[] {
  const source = 'network.jsonl';
  const busy = intervals.filter((one) => one.delayMs !== null);
  const sum = (pick: (one: QueueInterval) => number): number =>
    intervals.reduce((total, one) => total + pick(one), 0);
  const delayed = busy.reduce((total, { packets }) => total + packets, 0);
  const ms = sum((one) => one.ms);
  const arrived = sum((one) => one.arrived);
  const delays = busy.map((one) => one.delayMs ?? 0);
  return [
    named(
      where,
      {
        name: 'queueDelayMeanMs',
        label: 'Queue delay, mean',
        unit: 'ms',
        better: 'lower',
        definition: 'mean over the packets that left the queue',
        source,
      },
      delayed > 0 ? sum((one) => (one.delayMs ?? 0) * one.packets) / delayed : null,
    ),
    named(
      where,
      {
        name: 'queueDelayP95Ms',
        label: 'Queue delay, 95th percentile',
        unit: 'ms',
        better: 'lower',
        definition: '95th percentile of the means of the sampling periods in which packets left',
        source,
      },
      quantile(delays, 0.95) ?? null,
    ),
    named(
      where,
      {
        name: 'linkRateBps',
        label: 'Carried',
        unit: 'bit/s',
        better: 'none',
        definition: 'IP bytes that left the queue, over the session',
        source,
      },
      ms > 0 ? (sum((one) => one.bytes) * 8000) / ms : null,
    ),
    named(
      where,
      {
        name: 'dropRatio',
        label: 'Share dropped',
        unit: '1',
        isShare: true,
        better: 'lower',
        definition:
          'packets that the queue dropped or the link lost, in its outages too, of those that arrived',
        source,
      },
      arrived > 0 ? sum((one) => one.dropped) / arrived : null,
    ),
    named(
      where,
      {
        name: 'marks',
        label: 'ECN marks',
        unit: '1',
        better: 'none',
        definition: 'packets marked instead of dropped',
        source,
      },
      ms > 0 ? sum((one) => one.marked) : null,
    ),
  ];
}

/** Metrics of the background programs; names end in the traffic's id. A failed program has none. */
export function trafficMetrics(traffic: readonly TrafficResult[]): MetricValue[] {
  return traffic.flatMap((one) => {
    const where = { suffix: one.id, place: `${one.id} (${one.kind})` };
    const ok = one.outcome === 'ok';
    const rows: [
      name: string,
      label: string,
      unit: Metric['unit'],
      better: Metric['better'],
      definition: string,
      value: number | undefined,
    ][] = [
      ['trafficGoodputBps', 'Goodput', 'bit/s', 'none', 'as the program reports', one.goodputBps],
      ['trafficCallsFailed', 'Calls failed', '1', 'lower', 'of VoIP', one.calls?.failed],
      ['trafficRtpLossRatio', 'RTP loss', '1', 'lower', 'of RTP packets', one.rtp?.lossRatio],
      ['trafficRtpJitterMs', 'RTP jitter', 'ms', 'lower', 'RFC 3550, 6.4.1', one.rtp?.jitterMs],
      ['trafficRequestMeanMs', 'Reply time', 'ms', 'lower', 'of web', one.requests?.meanMs],
      ['trafficRequestsFailed', 'Replies failed', '1', 'lower', 'of web', one.requests?.failed],
    ];
    return rows.flatMap(([name, label, unit, better, definition, value]) =>
      value === undefined
        ? []
        : [
            named(
              where,
              {
                ...{ name, label, unit, better, definition, source: 'trial.json' },
                ...(name === 'trafficRtpLossRatio' ? { isShare: true } : {}),
              },
              ok ? value : null,
            ),
          ],
    );
  });
}
