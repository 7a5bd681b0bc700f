import { SweepError } from './axis';
import type { SweepJob } from './columns';
import { MAX_POINTS, type SweepPoint } from './points';
import type { SweepPlayer } from './sweep-player';

/** One part of a sweep: the first of four is `{ index: 1, of: 4 }`. */
export interface Shard {
  index: number;
  of: number;
}

export interface SweepSessions {
  /** Each scenario with its possible players. */
  scenarios: readonly { file: string; players: readonly SweepPlayer[] }[];
  points: readonly SweepPoint[];
  schedulers: readonly string[];
  /** Empty: each scenario's own. */
  congestion: readonly string[];
  trials: number;
  seed: number;
  durationMs?: number | undefined;
  shard?: Shard | undefined;
}

/**
 * All sessions of a sweep or of a shard. A shard takes every n-th, so that all shards take equally long.
 * Sessions of one point and trial have the same seed, so that players can be compared in pairs.
 * @throws SweepError if there are too many
 */
export function planSweep(sweep: SweepSessions): SweepJob[] {
  const { scenarios, points, schedulers, congestion, trials, seed, durationMs, shard } = sweep;
  const each = scenarios.reduce((sum, { players }) => sum + players.length, 0);
  const controls = congestion.length === 0 ? [undefined] : congestion;
  const count = points.length * each * schedulers.length * controls.length * trials;
  if (count > MAX_POINTS) {
    throw new SweepError(`${count} sessions: at most ${MAX_POINTS} in one sweep`);
  }
  const jobs: SweepJob[] = [];
  let number = 0;
  const isWanted = (): boolean => {
    number += 1;
    return shard === undefined || (number - 1) % shard.of === shard.index - 1;
  };
  scenarios.forEach(({ file, players }, scenario) => {
    const choices = schedulers.flatMap((scheduler) =>
      controls.flatMap((control) =>
        players.map((player) => ({
          player,
          scheduler,
          ...(control === undefined ? {} : { congestion: control }),
        })),
      ),
    );
    points.forEach(({ set }, index) => {
      const point = scenario * points.length + index;
      for (let trial = 0; trial < trials; trial += 1) {
        for (const choice of choices) {
          if (isWanted()) jobs.push(sessionOf({ file, point, set, seed: seed + trial }, choice));
        }
      }
    });
  });
  return jobs;

  function sessionOf(
    place: Pick<SweepJob, 'file' | 'point' | 'set' | 'seed'>,
    choice: Pick<SweepJob, 'player' | 'scheduler' | 'congestion'>,
  ): SweepJob {
    const { player, scheduler, congestion: control } = choice;
    const names = [
      place.point,
      place.seed,
      player.id,
      scheduler,
      ...(control === undefined ? [] : [control]),
    ];
    return {
      key: names.join('/'),
      ...place,
      ...(durationMs === undefined ? {} : { durationMs }),
      ...choice,
    };
  }
}
