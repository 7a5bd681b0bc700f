import { quantiles } from '../../core';
import { START_SECONDS } from './delay-series';
import type { Estimate } from '../../report';
import { allOf, isWithin } from '../estimate';
import type { ExperimentClaim } from '../types';
import type { AqmFigure, AqmRatio, DelaySeries } from './types';

/** A statement of the form "FQ-PIE's is x times PIE's". */
interface RatioClaim {
  figure: number;
  /** A metric other than the figure's own. */
  metric?: string;
  paper: string;
  /** Ratios that agree, without 1: the whole interval is among them. */
  from: number;
  to: number;
}

/** "About twice", "almost twice". */
const DOUBLE = { from: 1.6, to: 2.5 };
/** "Slightly": by up to 30 %. */
const SLIGHTLY_LESS = { from: 0.7, to: 1 };
const SLIGHTLY_MORE = { from: 1, to: 1.3 };
/** "Not significantly higher": by as much as the paper's own FQ-PIE, 20 ms beside a target of 5. */
const MOST_QUEUE = 4;
/** A share of 0 has an interval around it. */
const LESS = { from: -Infinity, to: 1 };
const MORE = { from: 1, to: Infinity };

const RATIO_CLAIMS: readonly RatioClaim[] = [
  { figure: 2, paper: 'FQ-PIE has fewer switches', ...LESS },
  { figure: 3, paper: 'FQ-PIE streams a higher bitrate', ...MORE },
  { figure: 3, paper: 'FQ-PIE streams 600 kbit/s beside 300 (judged: about twice)', ...DOUBLE },
  {
    figure: 3,
    metric: 'videoSwitchMagnitudeBps',
    paper: "FQ-PIE's bitrate is more stable (judged: the sizes of its switches, added)",
    ...LESS,
  },
  { figure: 4, paper: 'FQ-PIE about doubles the throughput of video', ...DOUBLE },
  { figure: 5, paper: 'FQ-PIE has a slightly lower video buffer', ...SLIGHTLY_LESS },
  {
    figure: 6,
    paper: 'FQ-PIE has a slightly longer RTT of video (1700, 1600 ms)',
    ...SLIGHTLY_MORE,
  },
  { figure: 7, paper: 'FQ-PIE has less jitter of video', ...LESS },
  { figure: 8, paper: 'FQ-PIE about doubles the throughput of audio', ...DOUBLE },
  { figure: 9, paper: 'FQ-PIE has a slightly lower audio buffer', ...SLIGHTLY_LESS },
  { figure: 10, paper: 'FQ-PIE has a shorter RTT of audio', ...LESS },
  { figure: 11, paper: 'FQ-PIE has more jitter of audio', ...MORE },
];

function ratioText({ ratio, low, high, trials }: AqmRatio): string {
  const interval =
    low === null || high === null ? '' : ` (${low.toFixed(2)} to ${high.toFixed(2)})`;
  return `${ratio.toFixed(2)} times PIE's${interval}, ${trials} ${trials === 1 ? 'trial' : 'trials'}`;
}

/** The queue of one scenario: the mean after the start where there are seconds, else the mean of all. */
function queueOf(
  { figure, rows }: AqmFigure,
  delays: readonly DelaySeries[],
  discipline: DelaySeries['discipline'],
  targetMs: number,
): { estimate: Estimate; series: DelaySeries | undefined } {
  const series = delays.find(
    (one) => one.figure === figure && one.discipline === discipline && one.targetMs === targetMs,
  );
  const row = rows.find((one) => one.targetMs === targetMs);
  const all = discipline === 'pie' ? row?.pie : row?.fqPie;
  const none = { count: 0, mean: null, low: null, high: null };
  const isSteady = series !== undefined && series.steady.mean !== null;
  return { estimate: isSteady ? series.steady : (all ?? none), series };
}

const placeOf = ({ figure }: { figure: number }): string => `Fig. ${figure}`;

function meanText({ mean, low, high }: Estimate): string {
  if (mean === null) return 'not measured';
  const interval =
    low === null || high === null ? '' : ` (${low.toFixed(1)} to ${high.toFixed(1)})`;
  return `${mean.toFixed(1)} ms in the mean${interval}`;
}

/** Judged by the mean after the start: the simultaneous start causes a peak that belongs to the start alone. */
function targetClaims(figure: AqmFigure, delays: readonly DelaySeries[]): ExperimentClaim[] {
  return figure.rows.map(({ targetMs }): ExperimentClaim => {
    // Within a quarter, or 2 ms if that is more.
    const slackMs = Math.max(targetMs / 4, 2);
    const { estimate } = queueOf(figure, delays, 'pie', targetMs);
    return {
      place: placeOf(figure),
      paper: `${figure.label}: PIE keeps its target of ${targetMs} ms`,
      ours: meanText(estimate),
      agrees: isWithin(estimate, targetMs - slackMs, targetMs + slackMs),
    };
  });
}

/**
 * FQ-PIE's swing by our definition (packets that left), judged by nine of ten seconds where there are seconds, and by the
 * mean of the paper's definition (queues active at a moment) where it is known.
 */
function swingClaims(figure: AqmFigure, delays: readonly DelaySeries[]): ExperimentClaim[] {
  const { estimate, series } = queueOf(figure, delays, 'fq-pie', 5);
  const seconds = (series?.points ?? []).slice(START_SECONDS).flatMap(({ meanMs }) => meanMs ?? []);
  const [low, high] = quantiles(seconds, [0.05, 0.95]);
  const isKnown = low !== undefined && high !== undefined;
  const claim = (definition: string, ours: string, agrees: boolean | null): ExperimentClaim => ({
    place: placeOf(figure),
    paper: `${figure.label}: FQ-PIE with a target of 5 ms oscillates from 10 to 20 ms${definition}`,
    ours,
    agrees,
  });
  const range = isKnown
    ? `; nine of ten seconds from ${low.toFixed(1)} to ${high.toFixed(1)} ms`
    : '';
  const swing = isKnown ? low >= 10 && high <= 20 : isWithin(estimate, 10, 20);
  const active = series?.active;
  return [
    claim('', `${meanText(estimate)}${range}`, swing),
    ...(active === undefined
      ? []
      : [
          claim(
            ' (as the paper has it: the mean over active queues)',
            meanText(active),
            isWithin(active, 10, 20),
          ),
        ]),
  ];
}

/** "The queue delays with FQ-PIE are not significantly higher": the bounds of both intervals are combined. */
function queueRatioClaims(figure: AqmFigure, delays: readonly DelaySeries[]): ExperimentClaim[] {
  const over = (a: number | null, b: number | null): number | null =>
    a === null || b === null || b <= 0 ? null : a / b;
  return figure.rows.map(({ targetMs }): ExperimentClaim => {
    const { estimate: pie } = queueOf(figure, delays, 'pie', targetMs);
    const { estimate: fqPie } = queueOf(figure, delays, 'fq-pie', targetMs);
    const [mean, low, high] = [
      over(fqPie.mean, pie.mean),
      over(fqPie.low, pie.high),
      over(fqPie.high, pie.low),
    ];
    const isKnown = low !== null && high !== null;
    return {
      place: placeOf(figure),
      paper: `${figure.label}: FQ-PIE's queue delays are not significantly higher with a target of ${targetMs} ms (judged: at most ${MOST_QUEUE} times PIE's)`,
      ours:
        mean === null
          ? 'not measured'
          : `${mean.toFixed(1)} times PIE's${isKnown ? ` (${low.toFixed(1)} to ${high.toFixed(1)})` : ''}`,
      agrees: isKnown ? (high <= MOST_QUEUE ? true : low > MOST_QUEUE ? false : null) : null,
    };
  });
}

/** Section V: "queue control is slightly better with PIE". */
function controlClaim(figure: AqmFigure, delays: readonly DelaySeries[]): ExperimentClaim {
  const errors = figure.rows.map(({ targetMs }) => {
    const errorOf = (discipline: DelaySeries['discipline']): DelayError =>
      delayError(queueOf(figure, delays, discipline, targetMs).estimate, targetMs);
    return { targetMs, pie: errorOf('pie'), fqPie: errorOf('fq-pie') };
  });
  const texts = errors.map(
    ({ targetMs, pie, fqPie }) => `${msText(pie.mean)} and ${msText(fqPie.mean)} at ${targetMs} ms`,
  );
  return {
    place: 'Section V',
    paper: `${figure.label}: queue control is better with PIE: its mean delay is nearer to the target, at each target`,
    ours: `distance of PIE and FQ-PIE: ${texts.join('; ')}`,
    agrees: allOf(
      errors.map(({ pie, fqPie }) =>
        pie.most < fqPie.least ? true : pie.least > fqPie.most ? false : null,
      ),
    ),
  };
}

/** Distance of a mean delay from its target; the bounds are those of its interval. */
interface DelayError {
  mean: number | null;
  least: number;
  most: number;
}

function delayError({ mean, low, high }: Estimate, targetMs: number): DelayError {
  if (mean === null || low === null || high === null) {
    return { mean: mean === null ? null : Math.abs(mean - targetMs), least: NaN, most: NaN };
  }
  const ends = [Math.abs(low - targetMs), Math.abs(high - targetMs)];
  const isAround = low <= targetMs && high >= targetMs;
  return {
    mean: Math.abs(mean - targetMs),
    least: isAround ? 0 : Math.min(...ends),
    most: Math.max(...ends),
  };
}

const msText = (ms: number | null): string => (ms === null ? '-' : ms.toFixed(1));

/** Section IV: retransmissions of dropped packets lead to "intermittent buffering" with PIE. */
function stallsClaim(stalls: AqmRatio | null): ExperimentClaim {
  return {
    place: 'Section IV',
    paper: 'PIE causes intermittent buffering: FQ-PIE has fewer stalls',
    ours: stalls === null ? 'not measured' : ratioText(stalls),
    agrees: stalls === null ? null : isWithin(stalls, LESS.from, LESS.to),
  };
}

/**
 * The paper's statements beside the measured values.
 * @param ratioOf FQ-PIE's value of a metric that no figure shows, against PIE's
 */
export function claimsOf(
  figures: readonly AqmFigure[],
  delays: readonly DelaySeries[],
  ratioOf: (metric: string) => AqmRatio | null,
): ExperimentClaim[] {
  const ratios = RATIO_CLAIMS.map(({ figure, metric, paper, from, to }): ExperimentClaim => {
    const place = placeOf({ figure });
    const own = figures.find((one) => one.figure === figure)?.ratio ?? null;
    const ratio = metric === undefined ? own : ratioOf(metric);
    return ratio === null
      ? { place, paper, ours: 'not measured', agrees: null }
      : { place, paper, ours: ratioText(ratio), agrees: isWithin(ratio, from, to) };
  });
  const queues = figures
    .filter(({ figure }) => figure >= 12)
    .flatMap((figure) => [
      ...targetClaims(figure, delays),
      ...swingClaims(figure, delays),
      ...queueRatioClaims(figure, delays),
      controlClaim(figure, delays),
    ]);
  return [...ratios, stallsClaim(ratioOf('stalls')), ...queues];
}
