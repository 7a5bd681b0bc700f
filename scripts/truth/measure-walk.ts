import type { PairSet } from '../../src/experiments';
import { runInSandbox } from './run-in-sandbox';
import type { Over, WalkResult } from './walk-cases';

export interface WalkTrial {
  walk: number;
  over: Over;
  set: PairSet;
  /** Seed of the emulated links. */
  seed: number;
}

/**
 * One session in a sandbox of its own, a minute of real time.
 * @throws Error of the lab
 */
export async function measureWalk({ walk, over, set, seed }: WalkTrial): Promise<WalkResult> {
  const args = [String(walk), over, set, String(seed)];
  return (await runInSandbox('walk-lab.ts', args, `walk ${walk} over ${over}`)) as WalkResult;
}
