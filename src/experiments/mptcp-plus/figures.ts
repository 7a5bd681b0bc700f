import { defaultPathUse } from '../../sim';
import { estimate } from '../../report';
import type { Estimate } from '../../report';
import type { ExperimentFigure, ExperimentSeries } from '../types';
import type { PathPair, SessionOutcome } from './jobs';
import {
  LARGEST_GAIN_PAIR,
  panelsOf,
  STUDY_AVERAGES_KBPS,
  STUDY_PAIRS,
  STUDY_RHOS,
  STUDY_SAMPLES,
} from './plan';
import { bitrateKbps, deviationKbps, qoe, type MptcpPlusResults } from './results';
import { SYSTEM_TITLES, type System, type Variant } from './variants';

const LETTERS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'];
/** Numbers of samples at which Fig. 5 is drawn. */
const COUNTS = [10, 25, 50, 75, 100, 125, 150, 175, 200, 225, 250, 275, 300];
/** The variants whose distributions are drawn: the paper's two, and a client-only one. */
export const DRAWN_VARIANTS: readonly Variant[] = [
  'mptcp',
  'mptcp-plus',
  'client-pud',
  'client-model',
  'client-ours',
];
/** The default settings of MPTCP+. */
export const PAPER_SETTINGS = { samples: defaultPathUse.samples, rho: defaultPathUse.rho };

/** Fig. 5: spread of the sampled rate over the first n samples. */
export function samplesFigures(results: MptcpPlusResults): ExperimentFigure[] {
  return STUDY_AVERAGES_KBPS.map((averageKbps, index) => {
    const runs = results.samples.filter(({ job }) => job.averageKbps === averageKbps);
    const series = (
      label: string,
      of: (run: (typeof runs)[number]) => number[],
    ): ExperimentSeries => ({
      label,
      points: COUNTS.flatMap((count) =>
        point(count, estimate(runs.map((run) => deviationKbps(of(run), count)))),
      ),
    });
    return {
      title: `Fig. 5${LETTERS[index] ?? ''}: spread of the sending rate, ${averageKbps} kbit/s on average`,
      kind: 'lines' as const,
      x: { label: 'Samples' },
      y: { label: 'Standard deviation', unit: 'kbit/s', from: 0 },
      series: [
        series('Fast path', ({ outcome }) => outcome.fastBps),
        series('Slow path', ({ outcome }) => outcome.slowBps),
      ],
      note: 'A sample is the window over the round trip, every 100 ms while data moves.',
    };
  });
}

/** Fig. 6: quality of plain MPTCP by the ratio of the paths' rates. */
export function ratioFigure(
  results: MptcpPlusResults,
  averagesKbps: readonly number[],
  ratios: readonly number[],
): ExperimentFigure {
  return {
    title: 'Fig. 6: bitrate of plain MPTCP by the difference of the paths',
    kind: 'lines',
    x: { label: 'Slow path over fast path' },
    y: { label: 'Average bitrate', unit: 'kbit/s', from: 0 },
    series: averagesKbps.map((averageKbps) => ({
      label: `${averageKbps} kbit/s on average`,
      points: ratios.flatMap((ratio) =>
        point(ratio, results.estimate(bitrateKbps, { variant: 'mptcp', averageKbps, ratio })),
      ),
    })),
    note: 'Both paths together have the same rate at every ratio.',
  };
}

/** n and rho of MPTCP+ varied. */
export function settingsFigures(results: MptcpPlusResults): ExperimentFigure[] {
  const figure = (name: 'samples' | 'rho', values: readonly number[]): ExperimentFigure => ({
    title: `QoE of MPTCP+ by ${name === 'samples' ? 'n' : 'rho'}`,
    kind: 'lines',
    x: { label: name === 'samples' ? 'n (samples)' : 'rho' },
    y: { label: 'Linear QoE a segment' },
    series: STUDY_PAIRS.map((pair) => ({
      label: `C1/C2 ${pair.ratio}`,
      points: values.flatMap((value) =>
        point(
          value,
          results.estimate(qoe, {
            ...pair,
            variant: 'mptcp-plus',
            ...PAPER_SETTINGS,
            [name]: value,
          }),
        ),
      ),
    })),
    note: '1500 kbit/s on average.',
  });
  return [figure('samples', STUDY_SAMPLES), figure('rho', STUDY_RHOS)];
}

/** Figs. 7 and 8: distributions of segments' delays and speeds. */
export function segmentFigures(
  results: MptcpPlusResults,
  averagesKbps: readonly number[],
  drawn: readonly System[],
): ExperimentFigure[] {
  const figures = (
    number: 7 | 8,
    what: string,
    unit: string,
    of: (outcome: SessionOutcome) => number[],
  ): ExperimentFigure[] =>
    panelsOf(averagesKbps).map((place) => ({
      title: `${figureName(number, place)}: segment ${what}, ${place.averageKbps} kbit/s on average, C1/C2 ${place.ratio}`,
      kind: 'steps' as const,
      x: { label: `Segment download ${what}`, unit },
      y: { label: 'Share of segments', from: 0 },
      series: drawn.map((variant) => ({
        label: SYSTEM_TITLES[variant],
        points: results
          .percentiles(of, { ...place, ...PAPER_SETTINGS, variant })
          .map((x, step) => ({ x, y: step / 20 })),
      })),
      note: 'Percentiles are means over trials.',
    }));
  return [
    ...figures(7, 'delay', 's', ({ delaysMs }) => delaysMs.map((ms) => ms / 1e3)),
    ...figures(8, 'speed', 'kbit/s', ({ speedsBps }) => speedsBps.map((bps) => bps / 1e3)),
  ];
}

/** The paper's text gives the paths of Fig. 8a alone. No figure of the paper has 3000 kbit/s. */
function figureName(number: 7 | 8, { averageKbps, ratio }: PathPair): string {
  const isLargest =
    averageKbps === LARGEST_GAIN_PAIR.averageKbps && ratio === LARGEST_GAIN_PAIR.ratio;
  const isOfPaper = STUDY_AVERAGES_KBPS.some((one) => one === averageKbps);
  return `${isOfPaper ? '' : 'As '}Fig. ${number}${number === 8 && isLargest ? 'a' : ''}`;
}

function point(x: number, { mean, low, high }: Estimate): ExperimentSeries['points'][number][] {
  if (mean === null) return [];
  return [low === null || high === null ? { x, y: mean } : { x, y: mean, low, high }];
}
