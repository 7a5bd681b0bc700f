import { median, quantiles } from '../../core';
import type { AqmClaim, AqmFigure, AqmRatio, DelaySeries } from './types';

/** A statement of the form "FQ-PIE's is x times PIE's". */
interface RatioClaim {
  figure: number;
  paper: string;
  /** Ratios that agree. */
  from: number;
  to: number;
}

/** "About twice", "almost twice". */
const DOUBLE = { from: 1.6, to: 2.5 };
/** "Slightly": by up to 30 %. */
const SLIGHTLY_LESS = { from: 0.7, to: 1 };
const SLIGHTLY_MORE = { from: 1, to: 1.3 };
const LESS = { from: 0, to: 1 };
const MORE = { from: 1, to: Infinity };

const RATIO_CLAIMS: readonly RatioClaim[] = [
  { figure: 2, paper: 'FQ-PIE has fewer switches', ...LESS },
  { figure: 3, paper: 'FQ-PIE streams a higher bitrate (600 beside 300 kbit/s)', ...MORE },
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

/**
 * Agrees: the ratio is in the stated range, and its interval excludes 1. Differs: the whole interval is
 * outside the range. Otherwise these trials cannot decide.
 */
export function judge(ratio: AqmRatio, from: number, to: number): boolean | null {
  const { low, high } = ratio;
  if (low === null || high === null) return null;
  if (high < from || low > to) return false;
  const isMeant = ratio.ratio >= from && ratio.ratio <= to;
  return isMeant && (low > 1 || high < 1) ? true : null;
}

function ratioText({ ratio, low, high, pairs }: AqmRatio): string {
  const interval =
    low === null || high === null ? '' : ` (${low.toFixed(2)} to ${high.toFixed(2)})`;
  return `${ratio.toFixed(2)} times PIE's${interval}, ${String(pairs)} ${pairs === 1 ? 'pair' : 'pairs'}`;
}

/** Means of the seconds of one scenario's trials. */
function secondsOf(
  delays: readonly DelaySeries[],
  figure: number,
  discipline: DelaySeries['discipline'],
  targetMs: number,
): number[] {
  const series = delays.find(
    (one) => one.figure === figure && one.discipline === discipline && one.targetMs === targetMs,
  );
  return (series?.points ?? []).flatMap(({ meanMs }) => meanMs ?? []);
}

/**
 * Uses the median second if there is one: the simultaneous start causes a peak that belongs to the start
 * alone.
 */
function targetClaims(
  { figure, label, rows }: AqmFigure,
  delays: readonly DelaySeries[],
): AqmClaim[] {
  return rows.map(({ targetMs, pie }): AqmClaim => {
    // Within a quarter, or 2 ms if that is more.
    const slackMs = Math.max(targetMs / 4, 2);
    const typical = median(secondsOf(delays, figure, 'pie', targetMs));
    const judged = typical ?? pie.mean;
    const suffix = typical === undefined ? '' : `; the median second ${typical.toFixed(1)} ms`;
    return {
      figure,
      paper: `${label}: PIE keeps its target of ${String(targetMs)} ms`,
      ours: pie.mean === null ? 'not measured' : `${pie.mean.toFixed(1)} ms in the mean${suffix}`,
      agrees: judged === null ? null : Math.abs(judged - targetMs) <= slackMs,
    };
  });
}

function swingClaim({ figure, label, rows }: AqmFigure, delays: readonly DelaySeries[]): AqmClaim {
  const fq = rows.find((row) => row.targetMs === 5)?.fqPie.mean ?? null;
  const seconds = secondsOf(delays, figure, 'fq-pie', 5);
  const [low, typical, high] = quantiles(seconds, [0.05, 0.5, 0.95]);
  const suffix =
    low === undefined || typical === undefined || high === undefined
      ? ''
      : `; the median second ${typical.toFixed(1)} ms, nine of ten from ${low.toFixed(1)} to ${high.toFixed(1)} ms`;
  const judged = typical ?? fq;
  return {
    figure,
    paper: `${label}: FQ-PIE with a target of 5 ms oscillates from 10 to 20 ms`,
    ours: fq === null ? 'not measured' : `${fq.toFixed(1)} ms in the mean${suffix}`,
    agrees: judged === null ? null : judged >= 10 && judged <= 20,
  };
}

/** The paper's statements beside the measured values. */
export function claimsOf(
  figures: readonly AqmFigure[],
  delays: readonly DelaySeries[],
): AqmClaim[] {
  const ratios = RATIO_CLAIMS.map(({ figure, paper, from, to }): AqmClaim => {
    const ratio = figures.find((one) => one.figure === figure)?.ratio ?? null;
    return ratio === null
      ? { figure, paper, ours: 'not measured', agrees: null }
      : { figure, paper, ours: ratioText(ratio), agrees: judge(ratio, from, to) };
  });
  const queues = figures
    .filter(({ figure }) => figure >= 12)
    .flatMap((figure) => [...targetClaims(figure, delays), swingClaim(figure, delays)]);
  return [...ratios, ...queues];
}
