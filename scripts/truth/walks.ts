import { readFileSync, writeFileSync } from 'node:fs';
import { release } from 'node:os';
import path from 'node:path';
import { mean } from '../../src/core';
import type { Section, TruthOptions, TruthRow } from './rows';
import { measureWalk } from './measure-walk';
import { simulateWalk } from './simulate-walk';
import { OVER, type Over, WALK_SECONDS, WALKS, type WalkResult } from './walk-cases';

const KEPT = path.join(import.meta.dirname, 'kernel-walks.json');
const GOODPUT_RATIO = 0.1;
const STALL_RATIO = 0.3;
const STALL_SECONDS = 1;
const SEEDS = 5;

interface Kept {
  kernel: string;
  walks: Record<string, Partial<Record<Over, WalkResult>>>;
}

/** Results that are kept beside this file; measures the missing ones, and keeps each at once. */
async function kernelWalks(progress: TruthOptions['progress']): Promise<Kept> {
  const kept = JSON.parse(readFileSync(KEPT, 'utf8')) as Kept;
  for (let number = 0; number < WALKS; number += 1) {
    const walk = (kept.walks[String(number)] ??= {});
    for (const over of OVER) {
      if (walk[over] !== undefined) continue;
      progress(`walk ${number} over ${over}`);
      walk[over] = await measureWalk({ walk: number, over, set: 'training', seed: 1 });
      writeFileSync(KEPT, `${JSON.stringify({ ...kept, kernel: release() }, null, 2)}\n`);
    }
  }
  return kept;
}

function meanWalk(number: number, over: Over): WalkResult {
  const all = Array.from({ length: SEEDS }, (_, seed) => simulateWalk(number, over, seed + 1));
  const meanOf = (field: keyof Omit<WalkResult, 'twiceShare'>): number =>
    mean(all.map((one) => one[field])) ?? 0;
  return {
    goodputBps: meanOf('goodputBps'),
    startMs: meanOf('startMs'),
    stalledMs: meanOf('stalledMs'),
    qoe: meanOf('qoe'),
  };
}

const winnerOf = (results: ReadonlyMap<Over, WalkResult>): Over =>
  OVER.reduce((best, over) =>
    (results.get(over)?.qoe ?? -Infinity) > (results.get(best)?.qoe ?? -Infinity) ? over : best,
  );

function rowsOf(number: number, walk: Partial<Record<Over, WalkResult>>): TruthRow[] {
  const real = new Map<Over, WalkResult>();
  const simulated = new Map<Over, WalkResult>();
  const rows = OVER.flatMap((over): TruthRow[] => {
    const truth = walk[over];
    if (truth === undefined) return [];
    const ours = meanWalk(number, over);
    real.set(over, truth);
    simulated.set(over, ours);
    const name = `walk ${number} over ${over}`;
    return [
      {
        what: `${name}: goodput`,
        unit: 'Mbit/s',
        truth: truth.goodputBps / 1e6,
        simulated: ours.goodputBps / 1e6,
        boundRatio: GOODPUT_RATIO,
      },
      {
        what: `${name}: stalled`,
        unit: 's',
        truth: truth.stalledMs / 1000,
        simulated: ours.stalledMs / 1000,
        boundRatio: STALL_RATIO,
        boundDifference: STALL_SECONDS,
      },
    ];
  });
  const [best, ownBest] = [winnerOf(real), winnerOf(simulated)];
  rows.push({
    what: `walk ${number}: QoE of the best, ${best} (${best === ownBest ? 'same winner' : `simulated: ${ownBest}`})`,
    unit: 'Mbit/s',
    truth: real.get(best)?.qoe ?? 0,
    simulated: simulated.get(ownBest)?.qoe ?? 0,
    isContrary: best !== ownBest,
  });
  return rows;
}

/** Compares sessions of RobustMPC over walks on the kernel, kept beside this file, with the simulator's. */
export async function checkWalks({ progress }: TruthOptions): Promise<Section> {
  const { kernel, walks } = await kernelWalks(progress);
  return {
    name: 'walks',
    title: `Linux ${kernel} in the lab: RobustMPC over twelve walks with fades, ${WALK_SECONDS} s each, one trial; simulated: the mean of ${SEEDS} seeds`,
    rows: Object.entries(walks).flatMap(([number, walk]) => rowsOf(Number(number), walk)),
  };
}
