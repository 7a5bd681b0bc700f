import { carriedBytes } from '../../core';
import type { LogEvent } from '../../session-log';
import type { Scenario } from '../../scenario';
import { runData } from '../run-data';
import { queueIntervals, type NetworkSample } from './network-log';
import type { TrialSeries } from './results-data';
import { pathNames } from './trial-metrics';

/** Points per curve: the page contains every trial of a run, so each must be small. */
const MAX_BINS = 240;

/** Curves of one trial, in bins of at least half a second; docs/results.md describes the thinning. */
export function trialSeries(
  scenario: Scenario,
  events: readonly LogEvent[],
  network: readonly NetworkSample[],
): TrialSeries {
  const fine = runData(events, MAX_BINS);
  const startMs = events.reduce((least, one) => Math.min(least, one.monotonicMs), Infinity);
  const names = pathNames(scenario);
  return {
    binS: fine.binS,
    bins: fine.atS.length,
    pathIds: fine.pathIds.map((id) => names.get(id) ?? id),
    pathMbps: fine.pathMbps.map((values) => values.map(hundredth)),
    shownMbps: fine.shownMbps.map(hundredthOrNull),
    bufferS: fine.bufferS.map(hundredthOrNull),
    forecastMbps: forecast(events, startMs, fine.binS, fine.atS.length),
    queues: queueCurves(scenario, network, startMs, fine.binS, fine.atS.length),
    stalls: fine.stalls,
    events: fine.events,
  };
}

const hundredth = (value: number): number => Math.round(value * 100) / 100;
const hundredthOrNull = (value: number | null): number | null =>
  value === null ? null : hundredth(value);

/** The forecast used by the last decision of each bin. */
function forecast(
  events: readonly LogEvent[],
  startMs: number,
  binS: number,
  bins: number,
): (number | null)[] {
  const values = Array.from({ length: bins }, (): number | null => null);
  for (const event of events) {
    if (event.type !== 'decision' || event.mediaType !== 'video') continue;
    const bin = Math.floor((event.monotonicMs - startMs) / 1000 / binS);
    if (bin >= 0 && bin < bins) values[bin] = hundredth(event.forecast.rateBps / 1e6);
  }
  let last: number | null = null;
  return values.map((value) => (last = value ?? last));
}

/** Mean queue delay of the links' directions towards the client, over bins with queued packets. */
function queueCurves(
  scenario: Scenario,
  network: readonly NetworkSample[],
  startMs: number,
  binS: number,
  bins: number,
): TrialSeries['queues'] {
  const intervals = queueIntervals(network, startMs, startMs + bins * binS * 1000);
  const client = scenario.topology.nodes.find((node) => node.role === 'client')?.id ?? '';
  const towards = downstream(scenario, client);
  return [...intervals].flatMap(([link, sides]) => {
    const side = towards.get(link);
    if (side === undefined) return [];
    const sums = Array.from({ length: bins }, () => ({ packets: 0, sum: 0 }));
    for (const { atMs, delayMs, packets } of sides[side]) {
      const bin = sums[Math.min(bins - 1, Math.floor((atMs - startMs) / 1000 / binS))];
      if (!bin || delayMs === null) continue;
      bin.packets += packets;
      bin.sum += delayMs * packets;
    }
    const ms = sums.map((bin) => (bin.packets > 0 ? hundredth(bin.sum / bin.packets) : null));
    return ms.some((value) => value !== null && value > 0.5) ? [{ link, ms }] : [];
  });
}

/** Direction of each link on a path that leads to the client. */
export function downstream(scenario: Scenario, client: string): ReadonlyMap<string, 'ab' | 'ba'> {
  const result = new Map<string, 'ab' | 'ba'>();
  for (const path of scenario.topology.paths) {
    let node = client;
    for (const id of path.via) {
      const link = scenario.topology.links.find((one) => one.id === id);
      if (!link) break;
      result.set(id, link.a === node ? 'ba' : 'ab');
      node = link.a === node ? link.b : link.a;
    }
  }
  return result;
}

/** Values of one trial, pooled over a player's trials into distributions. */
export interface TrialDistributions {
  segmentDelayMs: number[];
  segmentSpeedMbps: number[];
  queueDelayMs: number[];
}

export function trialDistributions(
  scenario: Scenario,
  events: readonly LogEvent[],
  network: readonly NetworkSample[],
): TrialDistributions {
  const result: TrialDistributions = { segmentDelayMs: [], segmentSpeedMbps: [], queueDelayMs: [] };
  for (const event of events) {
    if (event.type !== 'request' || event.kind !== 'media' || event.outcome !== 'ok') continue;
    const ms = event.endMs - event.startMs;
    if (event.mediaType === 'audio' || !(ms > 0)) continue;
    result.segmentDelayMs.push(ms);
    result.segmentSpeedMbps.push((carriedBytes(event) * 8) / ms / 1000);
  }
  const client = scenario.topology.nodes.find((node) => node.role === 'client')?.id ?? '';
  const first = events[0]?.monotonicMs ?? 0;
  const last = events.at(-1)?.monotonicMs ?? 0;
  const intervals = queueIntervals(network, first, last);
  for (const [link, side] of downstream(scenario, client)) {
    for (const one of intervals.get(link)?.[side] ?? []) {
      if (one.delayMs !== null) result.queueDelayMs.push(one.delayMs);
    }
  }
  return result;
}
