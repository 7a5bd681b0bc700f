import { formatShare } from '../../core';
import type { Metric } from '../../qoe';
import { metricText, pText } from './metric-text';
import { MIN_PAIRS } from './statistics';
import { lostTrials } from './trial-counts';
import type { Comparison, MetricStatistics, ScenarioResults } from './types';

/** The metric that judges a scenario, then those that explain it. */
const QOE = 'linearQoePerSegment';

/** The figures as sentences; the first is the headline. */
export function findings(results: ScenarioResults, metrics: readonly Metric[]): string[] {
  const metric = (name: string): Metric | undefined => metrics.find((one) => one.name === name);
  const qoe = metric(QOE);
  const of = (player: string, name: string): MetricStatistics | undefined =>
    results.statistics.find((one) => one.player === player && one.metric === name);
  const { reference, players } = results;
  const findings = [
    ...(qoe && reference !== null
      ? [headline(results, qoe, of), ...verdicts(results, qoe)]
      : ['No trial that ended well has a QoE.']),
    ...stallSentence(players, of),
    ...lossSentence(results),
  ];
  return findings;
}

type Lookup = (player: string, name: string) => MetricStatistics | undefined;

/** Equal but for the order in which the trials were added. */
const isTie = (a: number, b: number): boolean =>
  Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b));

function headline(results: ScenarioResults, qoe: Metric, of: Lookup): string {
  const ranked = results.players
    .map((player) => ({ player, mean: of(player, QOE)?.mean ?? null }))
    .filter((one): one is { player: string; mean: number } => one.mean !== null)
    .sort((a, b) => b.mean - a.mean);
  const best = ranked[0];
  if (!best) return 'No trial that ended well has a QoE.';
  // One trial shows one outcome, not which player is better.
  const compared = ranked.every(({ player }) => (of(player, QOE)?.count ?? 0) > 1);
  const ranks = ranked.length > 1 && compared;
  const sharing = ranked.filter(({ mean }) => isTie(mean, best.mean));
  if (ranks && sharing.length > 1) {
    const names = sharing.map(({ player }) => player);
    return `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''} share the best QoE, ${metricText(qoe, best.mean)} per segment on average.`;
  }
  const figures = of(best.player, QOE);
  const interval =
    (figures?.meanLow ?? null) !== null && (figures?.meanHigh ?? null) !== null
      ? `, 95 % interval ${metricText(qoe, figures?.meanLow)} to ${metricText(qoe, figures?.meanHigh)}`
      : '';
  const count = figures?.count ?? 0;
  const share = of(best.player, 'optimumShare')?.mean ?? null;
  const optimum = share === null ? '' : `: ${formatShare(share)} of the offline optimum`;
  const lead = ranks ? `${best.player} had the best QoE` : `${best.player} had a QoE of`;
  return `${lead}${ranks ? ', ' : ' '}${metricText(qoe, best.mean)} per segment on average over ${count} ${count === 1 ? 'trial' : 'trials'}${interval}${optimum}.`;
}

/** One sentence for all players better than the reference, one for the worse, one for the rest. */
function verdicts(results: ScenarioResults, qoe: Metric): string[] {
  const all = results.comparisons.filter((one) => one.metric === QOE && one.pairs > 0);
  const few = all.filter((one) => one.verdict === 'few');
  const list = (verdict: Comparison['verdict'], start: string): string[] => {
    const those = all.filter((one) => one.verdict === verdict);
    if (those.length === 0) return [];
    const texts = those.map(
      (one) => `${one.player} (${signed(qoe, one)}, ${pText(one.pTHolm)}, ${one.pairs} pairs)`,
    );
    return [`${start} ${texts.join(', ')}.`];
  };
  const { reference } = results;
  return [
    ...list('better', `Better than ${reference ?? ''}, beyond chance:`),
    ...list('worse', `Worse than ${reference ?? ''}, beyond chance:`),
    ...list('no difference shown', `No difference to ${reference ?? ''} shown:`),
    ...(few.length > 0
      ? [
          `With ${pairsText(Math.max(...few.map((one) => one.pairs)))} of trials no test can distinguish chance from difference: ${few
            .map((one) => `${one.player} ${signed(qoe, one)}`)
            .join(', ')} against ${reference ?? ''}. It takes at least ${MIN_PAIRS}.`,
        ]
      : []),
  ];
}

function signed(metric: Metric, one: Comparison): string {
  const difference = one.meanDifference ?? 0;
  const sign = difference < 0 ? '−' : '+';
  const relative =
    one.relativeDifference === null
      ? ''
      : `, ${sign}${formatShare(Math.abs(one.relativeDifference))}`;
  return `${sign}${metricText(metric, Math.abs(difference))}${relative}`;
}

function stallSentence(players: readonly string[], of: Lookup): string[] {
  const known = players.flatMap((player) => {
    const mean = of(player, 'stalls')?.mean ?? null;
    return mean === null ? [] : [{ player, mean }];
  });
  if (known.length === 0) return [];
  const never = known.filter((one) => one.mean === 0).map((one) => one.player);
  const some = known.filter((one) => one.mean > 0).sort((a, b) => b.mean - a.mean);
  if (some.length === 0) return ['No player stalled in any trial.'];
  const texts = some.map((one) => `${one.player} ${one.mean.toFixed(1)}`);
  const rest = never.length > 0 ? ` Never: ${never.join(', ')}.` : '';
  return [`Stalls per trial: ${texts.join(', ')}.${rest}`];
}

function lossSentence(results: ScenarioResults): string[] {
  const lost = lostTrials(results);
  if (lost.length === 0) return [];
  return [
    `Of ${results.counts.planned} planned trials these are left out of every figure: ${lost.join('; ')}.`,
  ];
}

const pairsText = (count: number): string => `${count} ${count === 1 ? 'pair' : 'pairs'}`;
