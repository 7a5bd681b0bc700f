import { estimate, type Estimate } from '../../report';
import { Cells } from './cells';
import {
  KERNEL_PLAYERS,
  type KernelCarriage,
  type StickyKernelJob,
  type StickyKernelOutcome,
} from './kernel-job';
import { scenarios, schedulerNames, type StickyScenario } from './set-up';

export interface StickyKernelResult {
  job: StickyKernelJob;
  outcome: StickyKernelOutcome;
}

/** The kernel's default, which the lab's server has. */
export const KERNEL_CONTROL = 'Cubic';

/** One value of a session; null if it has none. */
export type KernelValue = (outcome: StickyKernelOutcome) => number | null;

/**
 * The sessions over one carriage as cells of the simulated experiment, so that the same code judges both. A player with
 * rungs discards no pictures, and the log has no count of repeated packets.
 */
export function kernelCells(
  results: readonly StickyKernelResult[],
  carriage: KernelCarriage,
): Cells {
  const players = KERNEL_PLAYERS[carriage];
  return new Cells(
    results.flatMap(({ job, outcome }) => {
      const scheduler = schedulerNames.find((name) => players[name] === job.player);
      const scenario = scenarios.find(({ id }) => id === job.place);
      if (scheduler === undefined || scenario === undefined) return [];
      const { key, seed } = job;
      return [
        {
          job: { key, scenario, control: KERNEL_CONTROL, scheduler, seed, filmMs: 0 },
          outcome: {
            ...{ discards: 0, frames: 0, packets: 0, retransmitShare: [] },
            underflows: outcome.stalls,
            frozenMs: outcome.stallMs,
            startDelayMs: outcome.startDelayMs ?? 0,
            pathSwitches: outcome.pathSwitches,
            throughputBps: outcome.flowsBps,
          },
        },
      ];
    }),
  );
}

/** Values of one player, by trial. */
function byTrial(
  results: readonly StickyKernelResult[],
  place: StickyScenario['id'],
  player: string,
  of: KernelValue,
): Map<number, number> {
  return new Map(
    results.flatMap(({ job, outcome }): [number, number][] => {
      const value = of(outcome);
      return job.place === place && job.player === player && value !== null
        ? [[job.trial, value]]
        : [];
    }),
  );
}

/** Mean of a player over its trials. */
export const kernelEstimate = (...asked: Parameters<typeof byTrial>): Estimate =>
  estimate([...byTrial(...asked).values()]);

/** Mean of one player less another one, over the trials that both have. */
export function kernelLead(
  results: readonly StickyKernelResult[],
  place: StickyScenario['id'],
  [one, other]: readonly [string, string],
  of: KernelValue,
): Estimate {
  const beside = byTrial(results, place, other, of);
  return estimate(
    [...byTrial(results, place, one, of)].flatMap(([trial, value]) => {
      const reference = beside.get(trial);
      return reference === undefined ? [] : [value - reference];
    }),
  );
}
