import type { Cell, ExperimentTable } from '../types';
import { PAPER_SETTINGS } from './figures';
import { panelsOf, STUDY_PAIRS, STUDY_RHOS, STUDY_SAMPLES } from './plan';
import {
  bitrateKbps,
  medianDelaySeconds,
  medianSpeedKbps,
  outageSeconds,
  qoe,
  slowPercent,
  switches,
  type MptcpPlusResults,
  type SessionFilter,
} from './results';
import { SYSTEM_TITLES, type System } from './variants';

const COLUMNS = [
  { label: 'Bitrate', unit: 'kbit/s', digits: 0, of: bitrateKbps },
  { label: 'Switches', digits: 1, of: switches },
  { label: 'Outage', unit: 's', digits: 2, of: outageSeconds },
  { label: 'Linear QoE', digits: 3, of: qoe },
  { label: 'Median delay', unit: 's', digits: 2, of: medianDelaySeconds },
  { label: 'Median speed', unit: 'kbit/s', digits: 0, of: medianSpeedKbps },
  { label: 'Slow path', unit: '% of bytes', digits: 0, of: slowPercent },
];
const columns = COLUMNS.map(({ label, unit, digits }) =>
  unit === undefined ? { label, digits } : { label, unit, digits },
);

function values(results: MptcpPlusResults, where: SessionFilter): Cell[] {
  return COLUMNS.map(({ of }) => results.estimate(of, where));
}

/** Systems on the paths of Figs. 7 and 8. @param rules a sentence about their bitrate rules */
export function comparisonTable(
  results: MptcpPlusResults,
  averagesKbps: readonly number[],
  systems: readonly System[],
  rules: string,
): ExperimentTable {
  return {
    title: 'MPTCP, MPTCP+ and a client that decides alone',
    columns: [
      { label: 'Average', unit: 'kbit/s' },
      { label: 'C1/C2' },
      { label: 'Variant' },
      ...columns,
    ],
    rows: panelsOf(averagesKbps).flatMap((place) =>
      systems.map((variant): Cell[] => [
        place.averageKbps,
        place.ratio,
        SYSTEM_TITLES[variant],
        ...values(results, { ...place, ...PAPER_SETTINGS, variant }),
      ]),
    ),
    note: `${rules} Linear QoE (Yin et al.) in Mbit/s a segment.`,
  };
}

/** Systems whose client decides alone, beside MPTCP+. */
export function clientTable(
  results: MptcpPlusResults,
  averagesKbps: readonly number[],
  clients: readonly System[],
): ExperimentTable {
  return {
    title: 'Client-only control less MPTCP+',
    columns: [
      { label: 'Average', unit: 'kbit/s' },
      { label: 'C1/C2' },
      { label: 'Client' },
      { label: 'Bitrate', unit: 'kbit/s', digits: 0 },
      { label: 'Linear QoE', digits: 3 },
    ],
    rows: panelsOf(averagesKbps).flatMap((place) =>
      clients.map((variant): Cell[] => {
        const one = { ...place, ...PAPER_SETTINGS, variant };
        const other = { ...one, variant: 'mptcp-plus' as const };
        return [
          place.averageKbps,
          place.ratio,
          SYSTEM_TITLES[variant],
          results.difference(bitrateKbps, one, other),
          results.difference(qoe, one, other),
        ];
      }),
    ),
    note: 'Differences over pairs of trials with the same seed; the server of the client’s variants is plain MPTCP.',
  };
}

/** n and rho varied. */
export function settingsTable(results: MptcpPlusResults): ExperimentTable {
  const settings = [
    ...STUDY_SAMPLES.map((samples) => ({ ...PAPER_SETTINGS, samples })),
    ...STUDY_RHOS.filter((rho) => rho !== PAPER_SETTINGS.rho).map((rho) => ({
      ...PAPER_SETTINGS,
      rho,
    })),
  ];
  return {
    title: 'MPTCP+ by n and rho',
    columns: [{ label: 'C1/C2' }, { label: 'n' }, { label: 'rho' }, ...columns],
    rows: STUDY_PAIRS.flatMap((pair) => [
      [pair.ratio, 'MPTCP', '', ...values(results, { ...pair, variant: 'mptcp' })],
      ...settings.map((one): Cell[] => [
        pair.ratio,
        one.samples,
        one.rho,
        ...values(results, { ...pair, ...one, variant: 'mptcp-plus' }),
      ]),
    ]),
    note: '1500 kbit/s on average.',
  };
}
