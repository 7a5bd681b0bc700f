import { sessionOptimum, type SharedOptimum } from '../../optimum';
import {
  sessionMetrics,
  summarize,
  type Metric,
  type MetricValue,
  type SessionSummary,
} from '../../qoe';
import type { LogEvent, RequestEvent } from '../../session-log';
import type { Scenario, TrialRecord } from '../../scenario';
import type { NetworkSample } from './network-log';
import { networkMetrics, trafficMetrics } from './network-metrics';

/** The contents of one trial's files. */
export interface TrialLogs {
  record: TrialRecord;
  events: readonly LogEvent[];
  network: readonly NetworkSample[];
}

export interface TrialNumbers {
  summary: SessionSummary;
  values: MetricValue[];
  optimum: SharedOptimum | null;
}

/** Every number of one trial. */
export function trialNumbers(scenario: Scenario, logs: TrialLogs): TrialNumbers {
  const { record, events, network } = logs;
  const summary = summarize(events);
  const optimum = optimumOf(scenario, record, events, summary);
  const fromMs = events[0]?.monotonicMs ?? 0;
  return {
    summary,
    optimum,
    values: [
      ...sessionMetrics(events, summary),
      ...optimumMetrics(optimum),
      ...pathMetrics(scenario, summary),
      ...networkMetrics(scenario, network, fromMs, fromMs + summary.sessionMs),
      ...trafficMetrics(record.traffic),
    ],
  };
}

function optimumOf(
  scenario: Scenario,
  record: TrialRecord,
  events: readonly LogEvent[],
  summary: SessionSummary,
): SharedOptimum | null {
  // The optimum loads ahead of the encoder.
  if (scenario.media.kind === 'ladder' && scenario.media.live !== undefined) return null;
  const startup = events.find((event) => event.type === 'startup');
  const requests = events.filter((event): event is RequestEvent => event.type === 'request');
  const first = Math.min(...requests.map((request) => request.startMs));
  const filmMs = requests
    .filter((one) => one.kind === 'media' && one.mediaType !== 'audio' && one.outcome === 'ok')
    .map((one) => one.mediaStartMs ?? 0);
  if (!startup || !summary.linearQoe || !Number.isFinite(first) || filmMs.length === 0) return null;
  const lastStall = events.filter((event) => event.type === 'stall').at(-1);
  const endMs = (events[0]?.monotonicMs ?? 0) + summary.sessionMs - record.startMonotonicMs;
  const player = scenario.players.find((one) => one.id === record.player);
  const { media } = record;
  const played = {
    requestMs: first - record.startMonotonicMs,
    firstFrameMs: startup.monotonicMs - record.startMonotonicMs,
    firstSegment: Math.max(0, Math.round(Math.min(...filmMs) / media.segmentMs)),
    segments: summary.linearQoe.segments,
    endMs: lastStall?.phase === 'start' ? endMs : undefined,
    qoe: summary.linearQoe.total,
    bufferTargetMs: player?.bufferTargetMs,
  };
  return sessionOptimum(scenario, media, played) ?? null;
}

function optimumMetrics(optimum: SharedOptimum | null): MetricValue[] {
  const one = (
    name: string,
    label: string,
    unit: Metric['unit'],
    better: Metric['better'],
    definition: string,
    value: number | null,
  ): MetricValue => ({
    metric: {
      name,
      label,
      unit,
      better,
      definition,
      source: 'session.jsonl',
      // A player may do worse than nothing.
      isSigned: true,
      ...(unit === '1' ? { isShare: true } : {}),
      headline: name === 'optimumShare',
    },
    value,
  });
  const all = optimum?.allPathsQoe ?? null;
  const singles = Object.values(optimum?.singlePathQoe ?? {}).flatMap((qoe) =>
    qoe === null ? [] : [qoe],
  );
  return [
    one(
      'optimumShare',
      'Share of the optimum',
      '1',
      'higher',
      'linearQoeTotal over that of a clairvoyant player on all paths, where that is above 0',
      optimum?.share ?? null,
    ),
    one(
      'bestSingleShare',
      'Share of the best single path’s optimum',
      '1',
      'higher',
      'the same over the optimum of the best path alone',
      optimum?.shareOfBestSingle ?? null,
    ),
    one('optimumQoe', 'Optimum, all paths', 'Mbit/s', 'none', 'the optimum’s linear QoE', all),
    one(
      'bestSingleQoe',
      'Optimum, best single path',
      'Mbit/s',
      'none',
      'the same of the best path alone',
      singles.length > 0 ? Math.max(...singles) : null,
    ),
  ];
}

/** Links name the client's interfaces; the scenario names the paths. */
export function pathNames(scenario: Pick<Scenario, 'topology'>): ReadonlyMap<string, string> {
  return new Map(
    scenario.topology.paths.map((path): [string, string] => [path.via[0] ?? path.id, path.id]),
  );
}

function pathMetrics(scenario: Scenario, summary: SessionSummary): MetricValue[] {
  const names = pathNames(scenario);
  const seen = new Map(summary.paths.map((path) => [names.get(path.id) ?? path.id, path]));
  const all = [...new Set([...scenario.topology.paths.map((path) => path.id), ...seen.keys()])];
  return all.flatMap((id) => {
    const path = seen.get(id);
    // A path absent from a log with other paths carried nothing.
    const value = (bytes: number | undefined): number | null =>
      seen.size > 0 ? (bytes ?? 0) : null;
    const shared = { better: 'none', source: 'session.jsonl', headline: false } as const;
    return [
      {
        metric: {
          ...shared,
          name: `pathBytes.${id}`,
          label: `Bytes over ${id}`,
          unit: 'byte' as const,
          definition: 'received on all subflows of the path',
        },
        value: value(path?.bytes),
      },
      {
        metric: {
          ...shared,
          name: `pathShare.${id}`,
          label: `Share of bytes over ${id}`,
          unit: '1' as const,
          isShare: true as const,
          definition: 'of all paths’ bytes',
        },
        value: value(path && path.sharePercent / 100),
      },
    ];
  });
}
