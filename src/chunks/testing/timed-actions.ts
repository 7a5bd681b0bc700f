import { createChunkScheduler } from '../registry';
import type { ChunkAction } from '../types';
import { runWorld, type WorldOptions } from './world';

export interface TimedAction {
  nowMs: number;
  action: ChunkAction;
}

/** Every action of the scheduler `common-finish` in a world, with its time. */
export function actionsOf(options: Omit<WorldOptions, 'scheduler'>): TimedAction[] {
  const timed: TimedAction[] = [];
  runWorld({
    ...options,
    scheduler: createChunkScheduler('common-finish'),
    watch: ({ nowMs }, actions) => timed.push(...actions.map((action) => ({ nowMs, action }))),
  });
  return timed;
}
