import { mean } from '../../core';
import { estimate } from '../../report';
import { queueIntervals, type NetworkSample } from '../../report';
import type { DelaySeries } from './types';

/** Bottlenecks of the dumbbell, and the figures that show them. */
const LINKS = [
  { figure: 12, link: 'r1-r3' },
  { figure: 13, link: 'r2-r4' },
] as const;

/** The queues of one trial, from the start of its session to its end. */
export interface QueueSamples {
  samples: readonly NetworkSample[];
  fromMs: number;
  toMs: number;
}

/** Mean delay in ms of the packets from left to right in each second, by bottleneck. Null if none left. */
export type QueueSeconds = Readonly<Record<string, readonly (number | null)[]>>;

/** Slow start of all flows at once fills the queues for about five seconds; verdicts leave out twice that. */
export const START_SECONDS = 10;

/** Mean delay over a trial, without its first {@link START_SECONDS}, by bottleneck; null without a value. */
export type TrialDelays = Readonly<Record<string, number | null>>;

/** Rounds to microseconds, which makes kept results a tenth as large. */
const toMicroseconds = (ms: number): number => Math.round(ms * 1000) / 1000;

/** The queue delays of a trial that the figures show. */
export const queueSeconds = (log: QueueSamples): QueueSeconds =>
  Object.fromEntries(LINKS.map(({ link }) => [link, secondsOf(log, link)]));

function secondsOf({ samples, fromMs, toMs }: QueueSamples, link: string): (number | null)[] {
  const bins = Math.max(0, Math.floor((toMs - fromMs) / 1000));
  const sums = Array.from({ length: bins }, () => ({ delayMs: 0, packets: 0 }));
  for (const one of queueIntervals(samples, fromMs, toMs).get(link)?.ab ?? []) {
    const bin = sums[Math.floor((one.atMs - fromMs) / 1000)];
    if (bin === undefined || one.delayMs === null) continue;
    bin.delayMs += one.delayMs * one.packets;
    bin.packets += one.packets;
  }
  return sums.map(({ delayMs, packets }) =>
    packets > 0 ? toMicroseconds(delayMs / packets) : null,
  );
}

/** Queue delay of one scenario's trials over time, for both bottlenecks: mean and 95 % interval of each second. */
export function delaySeries(
  discipline: DelaySeries['discipline'],
  targetMs: number,
  trials: readonly QueueSeconds[],
  active: readonly TrialDelays[] = [],
): DelaySeries[] {
  return LINKS.map(({ figure, link }) => {
    const all = trials.map((trial) => trial[link] ?? []);
    // Only seconds that every trial has: a single trial would distort the mean.
    const length = all.length === 0 ? 0 : Math.min(...all.map((one) => one.length));
    const points = Array.from({ length }, (_, second) => {
      const { mean: meanMs, low, high } = estimate(all.flatMap((one) => one[second] ?? []));
      return { meanMs, lowMs: low === null ? null : Math.max(0, low), highMs: high };
    });
    const steady = estimate(all.flatMap((one) => afterStart(one) ?? []));
    const own = active.flatMap((trial) => trial[link] ?? []);
    return {
      ...{ figure, discipline, targetMs, trials: trials.length, points, steady },
      ...(own.length === 0 ? {} : { active: estimate(own) }),
    };
  });
}

/** Mean of the seconds after the start, or of all where a trial has no more. */
function afterStart(seconds: readonly (number | null)[]): number | null {
  const later = seconds.slice(START_SECONDS).flatMap((ms) => ms ?? []);
  const counted = later.length > 0 ? later : seconds.flatMap((ms) => ms ?? []);
  return mean(counted) ?? null;
}
