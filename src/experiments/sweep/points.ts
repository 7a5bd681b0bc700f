import { createRandom } from '../../core';
import { gridValues, SweepError, valueAt, type Axis } from './axis';

/** One value of every parameter, as after `--set`. */
export interface SweepPoint {
  /** Values in the order of the axes. */
  set: readonly { path: string; value: string }[];
}

/** A larger sweep is considered a mistake. */
export const MAX_POINTS = 1_000_000;

/**
 * Every combination; the last axis changes fastest.
 * @throws SweepError
 */
function grid(axes: readonly Axis[]): SweepPoint[] {
  const values = axes.map((axis) => gridValues(axis));
  const count = values.reduce((product, one) => product * one.length, 1);
  if (count > MAX_POINTS) {
    throw new SweepError(
      `a grid of ${count} points: at most ${MAX_POINTS}; draw some with --sample`,
    );
  }
  let points: SweepPoint['set'][] = [[]];
  axes.forEach(({ path }, index) => {
    points = points.flatMap((set) =>
      (values[index] ?? []).map((value) => [...set, { path, value }]),
    );
  });
  return points.map((set) => ({ set }));
}

/** Draws each parameter independently; a longer list of the same seed begins with the shorter one. */
function sample(axes: readonly Axis[], count: number, seed: number): SweepPoint[] {
  const random = createRandom(seed);
  const draw = (axis: Axis): string => {
    const share = random();
    if ('range' in axis) return valueAt(axis.range, share);
    return axis.values[Math.floor(share * axis.values.length)] ?? '';
  };
  return Array.from({ length: count }, () => ({
    set: axes.map((axis) => ({ path: axis.path, value: draw(axis) })),
  }));
}

/**
 * The points of a sweep: the whole grid, or `count` drawn at random.
 * @throws SweepError if there are too many, or a range in a grid has no steps
 */
export function sweepPoints(
  axes: readonly Axis[],
  count: number | undefined,
  seed: number,
): SweepPoint[] {
  const paths = axes.map(({ path }) => path);
  const twice = paths.find((path, index) => paths.indexOf(path) < index);
  if (twice !== undefined)
    throw new SweepError(`${twice} is swept twice: give all its values at once`);
  return count === undefined ? grid(axes) : sample(axes, count, seed);
}
