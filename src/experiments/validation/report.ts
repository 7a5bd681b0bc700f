import { mean } from '../../core';
import type { ExperimentOptions, ExperimentReport, ExperimentTable } from '../types';
import { INTERVAL_SHARES } from './calibration';
import type { PlayerOutcome, ValidationJob, ValidationOutcome } from './job';
import type { PairKind, PairSet } from './pairs';

export interface ValidationResult {
  job: ValidationJob;
  outcome: ValidationOutcome;
}

/** Knows the next 10 s of both links, over byte ranges: a baseline, no player. */
const FORESIGHT = 'perfect-forecast@ranges';
/** Players of others over plain MPTCP or one network, which ours is compared with pair by pair. */
const isReference = ({ player }: PlayerOutcome): boolean =>
  !player.startsWith('multipath@') && !player.endsWith('@ranges');
/** Controllers over the kernel's own MPTCP: the usual alternative. */
const RIVALS = ['robust-mpc@mptcp', 'soda@mptcp'];
/** A pair counts as not worse from this share of the best reference on. */
const NOT_WORSE = 0.9;
/** Avoidable stalls above this are counted as long. Chosen; no measurement. */
const LONG_STALL_MS = 1000;

const KINDS: Readonly<Record<PairKind, string>> = {
  walk: 'walks',
  trace: 'pairs of traces',
  loss: 'pairs of traces with losses',
  other: 'other networks and films',
};

export function reportValidation(
  set: PairSet,
  results: readonly ValidationResult[],
  { seed }: ExperimentOptions,
): ExperimentReport {
  const groups = new Map<string, ValidationResult[]>();
  for (const result of results) {
    const { pair, durationMs } = result.job;
    const title = `${KINDS[pair.kind]}, sessions of ${durationMs / 1000} s`;
    groups.set(title, [...(groups.get(title) ?? []), result]);
  }
  return {
    name: set,
    title: set === 'validation' ? 'Validation: unseen pairs of networks' : 'Training pairs',
    paper: '',
    simulated: true,
    method: [
      `Set "${set}"${set === 'training' ? `, seed ${seed}` : ', which is always the same'}. Walks: a semi-Markov model fitted to 23 walks with Wi-Fi and cellular measured every second. Traces: FCC, Ghent 4G, Norway 3G (scenarios/traces/sampled); the two sets share no trace. With losses: one of the two has no carrier for 1 to 12 s on average, every 4 to 40 s on average. Means together 5.5 Mbit/s, 1:4 to 4:1. Other: means together 0.8 to 20 Mbit/s, 1:20 to 20:1, delays of 3 to 250 ms, four to eight rungs from 0.6 to 1.6 times both means down, segments of 1 to 6 s; chosen, no recording.`,
      'Else seven rungs of 0.3 to 6 Mbit/s and segments of 2 s. A buffer target of 18 s. In every second pair the film ends with the session.',
      'QoE: linear (Yin et al., SIGCOMM 2015), the wait for the first frame priced as a stall, in units of a top rung of 6 Mbit/s. The optimum pays for its start too; "of a busy connection" is the optimum over what one endless MPTCP download achieves.',
      'perfect-forecast@ranges knows what both links deliver in the next 10 s and plans with the objective of our planner.',
      'Avoidable stalls: time without picture while a path carries the lowest rung.',
      'Forecasts: the planner takes the logarithm of a segment’s rate as normal, around its forecast, with a spread from its earlier errors.',
    ],
    tables: [
      ...[...groups].map(([title, group]) => groupTable(title, group)),
      calibrationTable(results),
    ],
    figures: [],
    claims: [],
  };
}

function groupTable(title: string, results: readonly ValidationResult[]): ExperimentTable {
  const players = results[0]?.outcome.players.map(({ player }) => player) ?? [];
  return {
    title: `${title} (${results.length})`,
    columns: [
      { label: 'player' },
      { label: 'QoE a segment', digits: 2 },
      { label: 'of the optimum', digits: 3 },
      { label: 'of a busy connection', digits: 3 },
      { label: 'of a perfect 10 s forecast', digits: 3 },
      { label: 'film ends', digits: 3 },
      { label: 'film goes on', digits: 3 },
      { label: 'start', unit: 's', digits: 2 },
      { label: 'stalled', unit: 's', digits: 2 },
      { label: 'avoidable', unit: 's', digits: 2 },
      { label: 'avoidable over 1 s', unit: '%', digits: 0 },
      { label: 'over RobustMPC or SODA', digits: 2 },
      { label: 'pairs from 0.9 of the best reference', unit: '%', digits: 0 },
    ],
    rows: players.map((player) => playerRow(player, results)),
    note: '',
  };
}

/** Share of the forecasts' errors inside the intervals of the belief, over all sessions. */
function calibrationTable(results: readonly ValidationResult[]): ExperimentTable {
  const found = new Map<string, { forecasts: number; inside: number[] }>();
  for (const { player, calibration } of results.flatMap(({ outcome }) => outcome.players)) {
    if (calibration === undefined) continue;
    const sum = found.get(player) ?? { forecasts: 0, inside: INTERVAL_SHARES.map(() => 0) };
    const inside = sum.inside.map((count, index) => count + (calibration.inside[index] ?? 0));
    found.set(player, { forecasts: sum.forecasts + calibration.forecasts, inside });
  }
  return {
    title: 'Forecasts inside the intervals of the belief',
    columns: [
      { label: 'player' },
      { label: 'forecasts' },
      ...INTERVAL_SHARES.map((share) => ({
        label: `inside ${100 * share} %`,
        unit: '%',
        digits: 1,
      })),
    ],
    rows: [...found].map(([player, { forecasts, inside }]) => [
      player,
      forecasts,
      ...inside.map((count) => (100 * count) / forecasts),
    ]),
    note: '',
  };
}

function playerRow(
  player: string,
  results: readonly ValidationResult[],
): (string | number | null)[] {
  const of = (result: ValidationResult): PlayerOutcome | undefined => outcomeOf(result, player);
  const all = results.flatMap((result) => of(result) ?? []);
  const shareWhere = (filmEnds: boolean): number | null =>
    shareOf(
      results.filter(({ job }) => job.filmEnds === filmEnds),
      player,
      'optimumQoe',
    );
  const long = all.filter(({ avoidableMs }) => avoidableMs > LONG_STALL_MS).length;
  const kept = results.filter((result) => isNotWorse(of(result), result.outcome.players)).length;
  const rivals = mean(
    results.map(({ outcome }) =>
      Math.max(
        ...outcome.players
          .filter((one) => RIVALS.includes(one.player))
          .map(({ qoePerSegment }) => qoePerSegment),
      ),
    ),
  );
  const qoe = mean(all.map(({ qoePerSegment }) => qoePerSegment));
  return [
    player,
    qoe ?? null,
    shareOf(results, player, 'optimumQoe'),
    shareOf(results, player, 'busyQoe'),
    shareOfForesight(results, player),
    shareWhere(true),
    shareWhere(false),
    seconds(all, 'startMs'),
    seconds(all, 'stalledMs'),
    seconds(all, 'avoidableMs'),
    (100 * long) / all.length,
    qoe === undefined || rivals === undefined || rivals <= 0 ? null : qoe / rivals,
    (100 * kept) / results.length,
  ];
}

const outcomeOf = ({ outcome }: ValidationResult, player: string): PlayerOutcome | undefined =>
  outcome.players.find((one) => one.player === player);

/** True from 0.9 of the best reference on; below 0 the distance counts the other way. */
function isNotWorse(own: PlayerOutcome | undefined, players: readonly PlayerOutcome[]): boolean {
  const best = Math.max(...players.filter(isReference).map(({ qoePerSegment }) => qoePerSegment));
  const least = best - (1 - NOT_WORSE) * Math.abs(best);
  return own !== undefined && own.qoePerSegment >= least;
}

/** Mean QoE over that of the player that knows the next 10 s; null over another carriage. */
function shareOfForesight(results: readonly ValidationResult[], player: string): number | null {
  if (!player.endsWith('@ranges')) return null;
  const meanOf = (name: string): number | undefined =>
    mean(results.flatMap((result) => outcomeOf(result, name)?.qoePerSegment ?? []));
  const [own, best] = [meanOf(player), meanOf(FORESIGHT)];
  return own === undefined || best === undefined || best <= 0 ? null : own / best;
}

/** Mean QoE over the mean of a bound: a pair on which hardly anything is attainable hardly counts. */
function shareOf(
  results: readonly ValidationResult[],
  player: string,
  bound: 'optimumQoe' | 'busyQoe',
): number | null {
  const known = results.filter(({ outcome }) => outcome[bound] !== null);
  const best = mean(known.map(({ outcome }) => outcome[bound] ?? 0));
  const own = mean(known.flatMap((one) => outcomeOf(one, player)?.qoePerSegment ?? []));
  return best === undefined || own === undefined || best <= 0 ? null : own / best;
}

function seconds(
  outcomes: readonly PlayerOutcome[],
  field: 'startMs' | 'stalledMs' | 'avoidableMs',
): number | null {
  const ms = mean(outcomes.map((one) => one[field]));
  return ms === undefined ? null : ms / 1000;
}
