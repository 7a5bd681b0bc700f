import type { DirectionSpec } from '../../scenario';
import type { CongestionName, MasterScope } from '../../sim';
import type { ExperimentJob } from '../types';
import type { Ablation } from './ablation-names';

/** Controls of the MPTCP level, in the order of Table 3. */
export const COUPLED = ['lia', 'olia', 'balia', 'wvegas'] as const satisfies CongestionName[];
/** Controls of the path level. */
export const PATH_LEVEL = ['reno', 'cubic', 'bbr'] as const satisfies CongestionName[];

export type Coupled = (typeof COUPLED)[number];
export type PathLevel = (typeof PATH_LEVEL)[number];

/** The controls of the connection: a pair as in the paper, or one control alone, as in stock kernels. */
export type Control =
  | { kind: 'pair'; coupled: Coupled; path: PathLevel; scope: MasterScope }
  | { kind: 'alone'; name: Coupled | PathLevel };

/** One LTE path: from the server to the client, and back. */
export interface LtePath {
  down: DirectionSpec;
  up: DirectionSpec;
}

/** A download of some seconds over two paths. */
export interface CcJob extends ExperimentJob {
  control: Control;
  paths: readonly LtePath[];
  durationMs: number;
  /** Number of the trial, from 1. Each trial has the same network for all controls. */
  trial: number;
  seed: number;
  /** One property of the set-up is changed. */
  ablation?: Ablation;
}

/** Quantities of one path. */
export interface CcPathOutcome {
  srttMeanMs: number | null;
  srttMaxMs: number | null;
  /** Segments dropped on the way to the client. */
  dropsPerSecond: number;
  /** Share of those sent, 0 to 1 (equation 10). */
  dropRatio: number;
}

/** One run over time, every 100 ms (Figs. 3 and 4). */
export interface CcSeries {
  protocolMs: readonly number[];
  holMs: readonly number[];
  goodputBps: readonly number[];
  /** Smoothed round trips by path. */
  srttMs: readonly (readonly number[])[];
}

/** Table 3's quantities of one run. */
export interface CcOutcome {
  protocolMeanMs: number | null;
  protocolMaxMs: number | null;
  holMeanMs: number | null;
  holMaxMs: number | null;
  goodputMeanBps: number;
  /** Mean over half a second. */
  goodputMaxBps: number;
  /**
   * Coefficient of variation of the goodput of half seconds, from 2 s on. Absent in short runs and in kept ones of before.
   */
  goodputVariation?: number;
  /** Slope of the same goodputs: Mbit/s per second. */
  goodputSlopeMbps?: number;
  /** Share of the tenths of seconds from 2 s on whose goodput is below a twentieth of the run's mean, 0 to 1. */
  stillShare?: number;
  /** The least protocol delay, and its 95th percentile. Absent without delays and in kept runs of before. */
  protocolMinMs?: number;
  protocolHighMs?: number;
  paths: readonly CcPathOutcome[];
  /** The run over time; only the first trial has it. */
  series?: CcSeries;
}

const LABELS: Readonly<Record<Coupled | PathLevel, string>> = {
  lia: 'LIA',
  olia: 'OLIA',
  balia: 'BALIA',
  wvegas: 'wVegas',
  reno: 'Reno',
  cubic: 'Cubic',
  bbr: 'BBR',
};

export const labelOf = (name: Coupled | PathLevel): string => LABELS[name];

/** "LIA with Reno". */
export function controlLabel(control: Control): string {
  return control.kind === 'alone'
    ? labelOf(control.name)
    : `${labelOf(control.coupled)} with ${labelOf(control.path)}`;
}

/** Names a control in keys and tables. */
export function controlKey(control: Control): string {
  return control.kind === 'alone'
    ? control.name
    : `${control.coupled}+${control.path}${control.scope === 'total' ? '' : `/${control.scope}`}`;
}
