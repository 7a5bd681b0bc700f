import { availableParallelism, freemem } from 'node:os';
import { InvalidArgumentError } from 'commander';
import type { MediaSpec } from '../../scenario';

/** Number of simultaneous trials: a number, or the capacity of this machine. */
export type Lanes = number | 'auto';

/** Upper bound of simultaneous trials, also for `auto`. Chosen; no measurement. */
const MAX_LANES = 64;
/** A browser with a playing page, nginx, the emulator. */
const TRIAL_BYTES = 1e9;
/** Cores of a trial, so that no trial waits for another: measured with real pictures, and with small ones. */
const CORES = { real: 2, small: 1 };

/** @throws InvalidArgumentError */
export function readLanes(text: string): Lanes {
  if (text === 'auto') return text;
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < 1 || value > MAX_LANES) {
    throw new InvalidArgumentError(`expected a whole number from 1 to ${MAX_LANES}, or auto`);
  }
  return value;
}

/** Number of trials that this machine runs without mutual disturbance. */
export function carriedLanes(
  media: readonly MediaSpec[],
  cores = availableParallelism(),
  freeBytes = freemem(),
): number {
  const areSmall = media.every((one) => one.kind === 'ladder' && one.pictures === 'small');
  const byCores = Math.floor(cores / (areSmall ? CORES.small : CORES.real));
  const byMemory = Math.floor(freeBytes / TRIAL_BYTES);
  return Math.min(MAX_LANES, Math.max(1, Math.min(byCores, byMemory)));
}

/**
 * Works through a list in its order, up to `lanes` at a time, one start after another. An item starts when
 * the one before has begun or ended. An error starts no more items, and is thrown once all running ones have
 * ended.
 * @param work calls `begun` when the next may start beside it; returns false to start no more
 */
export async function inLanes<T>(
  items: readonly T[],
  lanes: number,
  work: (item: T, begun: () => void) => Promise<boolean>,
): Promise<void> {
  const left = items.values();
  const failures: unknown[] = [];
  let goesOn = true;
  let lastBegun = Promise.resolve();
  const lane = async (): Promise<void> => {
    for (;;) {
      const before = lastBegun;
      let begun = (): void => undefined;
      lastBegun = new Promise((resolve) => (begun = resolve));
      await before;
      // One iterator for all lanes: each takes the next item, however many lanes exist.
      const next = left.next();
      try {
        if (!goesOn || next.done === true) return;
        if (!(await work(next.value, begun))) goesOn = false;
      } catch (error) {
        failures.push(error);
        goesOn = false;
      } finally {
        begun();
      }
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, lanes) }, lane));
  if (failures.length > 0) throw failures[0];
}
