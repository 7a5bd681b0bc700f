import { summarize } from '../../qoe';
import type { Scenario } from '../../scenario';
import type { LogEvent } from '../../session-log';
import type { ExperimentJob } from '../types';
import type { StickyScenario, StickyScheduler } from './set-up';

/** The players of `scenarios/sticky`, by carriage. DFT: the carriage's own scheduler. */
export const KERNEL_PLAYERS = {
  mptcp: {
    DFT: 'mptcp',
    'GR-STY': 'mptcp-gr-sty',
    'TP-STY': 'mptcp-tp-sty',
    'TR-STY': 'mptcp-tr-sty',
  },
  ranges: {
    DFT: 'ranges',
    'GR-STY': 'ranges-gr-sty',
    'TP-STY': 'ranges-tp-sty',
    'TR-STY': 'ranges-tr-sty',
  },
} as const satisfies Record<string, Record<StickyScheduler, string>>;
export type KernelCarriage = keyof typeof KERNEL_PLAYERS;
export const CARRIAGES = Object.keys(KERNEL_PLAYERS) as KernelCarriage[];
/** The policy of one path over MPTCP. */
export const SINGLE_BEST = 'mptcp-single-best';
/** Plain TCP over the best path, chosen before: the nearest one of those without losses. */
export const BEST_PATH = 'best-path';

/** Flows 1 to 3 of Table II by the paths of the topology `three-path`. */
export const FLOW_PATHS = ['wifi5', 'wifi24', 'wired'] as const;

/** Properties in which the lab's set-up is not the paper's, or which the paper leaves open; each is changed alone. */
export const STICKY_KERNEL_ABLATIONS = ['wifi-loss', 'one-rung', 'deep-queues'] as const;
export type StickyKernelAblation = (typeof STICKY_KERNEL_ABLATIONS)[number];

/** One session of one player. */
export interface StickyKernelJob extends ExperimentJob {
  place: StickyScenario['id'];
  scenario: Scenario;
  /** One of the scenario's players. */
  player: string;
  /** Number of the trial, from 1. */
  trial: number;
  seed: number;
  /** The changed property of the set-up. Absent: none is changed. */
  ablation?: StickyKernelAblation;
}

export interface StickyKernelOutcome {
  /** Mean of the video that was shown, by time. */
  bitrateBps: number;
  /** Changes of the rung. */
  rungSwitches: number;
  /** The paper's buffer underflows. */
  stalls: number;
  stallMs: number;
  startDelayMs: number | null;
  /** Linear QoE (Yin et al.) in Mbit/s a segment; null without segments. */
  qoe: number | null;
  /** Changes of the set of paths in use, which a policy of one path over MPTCP makes. */
  pathSwitches: number;
  /** Of flows 1 to 3, over the session. */
  flowsBps: number[];
}

/** One session measured from its log. */
export function stickyKernelOutcome(events: Iterable<LogEvent>): StickyKernelOutcome {
  const summary = summarize(events);
  return {
    bitrateBps: summary.averageBitrateBps,
    rungSwitches: summary.switches,
    stalls: summary.stalls.count,
    stallMs: summary.stalls.totalMs,
    startDelayMs: summary.startupDelayMs,
    qoe: summary.linearQoe?.perSegment ?? null,
    pathSwitches: summary.pathSwitches,
    flowsBps: FLOW_PATHS.map(
      (path) => summary.paths.find(({ id }) => id === path)?.meanRateBps ?? 0,
    ),
  };
}
