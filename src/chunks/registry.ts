import { earliestCompletion } from './baselines/earliest-completion';
import { grSty, pathUseDecision, tpSty, trSty } from './baselines/papers';
import { roundRobin } from './baselines/round-robin';
import { shortestRtt } from './baselines/shortest-rtt';
import { commonFinish } from './common-finish/common-finish';
import {
  ChunkConfigError,
  type ChunkDecision,
  type ChunkObservation,
  type ChunkScheduler,
} from './types';

/** The schedulers bundled with the player, ours first. */
export const chunkSchedulers: readonly ChunkScheduler[] = [
  commonFinish,
  shortestRtt,
  roundRobin,
  earliestCompletion,
  grSty,
  tpSty,
  trSty,
  pathUseDecision,
];

/** A scheduler with its settings. */
export interface ConfiguredChunkScheduler {
  readonly name: string;
  readonly summary: string;
  initial(): object;
  decide(state: object, observation: ChunkObservation): ChunkDecision<object>;
}

/**
 * Finds a scheduler by name and applies its settings, checked at once.
 * @param from the schedulers to search: `[...chunkSchedulers, mine]` adds a user-defined one
 * @throws ChunkConfigError on an unknown name, an unknown setting or a value out of range
 */
export function createChunkScheduler(
  name = commonFinish.name,
  config: object = {},
  from: readonly ChunkScheduler[] = chunkSchedulers,
): ConfiguredChunkScheduler {
  const scheduler = from.find((candidate) => candidate.name === name);
  if (!scheduler) {
    const names = from.map((candidate) => candidate.name).join(', ');
    throw new ChunkConfigError(`there is no chunk scheduler "${name}"; choose one of: ${names}`);
  }
  const first = scheduler.initial(config);
  return {
    name: scheduler.name,
    summary: scheduler.summary,
    initial: () => first,
    decide: (state, observation) => scheduler.decide(state, observation),
  };
}
