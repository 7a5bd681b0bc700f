import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { type CaseResult, KERNEL_CASES, type KernelCase, singleOf } from './cases';
import type { Section, TruthOptions, TruthRow } from './rows';
import { simulateCase } from './simulate-case';

const root = path.resolve(import.meta.dirname, '../..');
const BOUND = 0.1;
/** Simulations are cheap; their seeds decide losses. */
const SIMULATED_TRIALS = 8;

/** One trial in a sandbox of its own. @throws Error where the lab does */
function measureCase({ name }: KernelCase, seconds: number, seed: number): CaseResult {
  const lab = path.join(import.meta.dirname, 'kernel-lab.ts');
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [
      path.join(root, 'bin/multipath-dash.mjs'),
      'sandbox',
      '--',
      process.execPath,
      '--import',
      'tsx',
      lab,
      name,
      String(seconds),
      String(seed),
    ],
    { encoding: 'utf8', cwd: root },
  );
  if (status !== 0) throw new Error(`case ${name}: ${stderr.trim()}`);
  return JSON.parse(stdout) as CaseResult;
}

/** What is known of a path that does not fit. */
const NOTES: Readonly<Record<string, { path: number; text: string }>> = {
  '5+0.6 lossy': {
    path: 1,
    text: 'the kernel gets less through a path with losses and a round trip of up to a second; the goodput hardly depends on it',
  },
};

interface Means {
  goodputBps: number;
  pathBps: number[];
}

function meansOf(results: readonly CaseResult[]): Means {
  const mean = (read: (result: CaseResult) => number): number =>
    results.reduce((sum, result) => sum + read(result), 0) / results.length;
  return {
    goodputBps: mean(({ goodputBps }) => goodputBps),
    pathBps: (results[0]?.pathBps ?? []).map((_, index) =>
      mean(({ pathBps }) => pathBps[index] ?? 0),
    ),
  };
}

interface Compared {
  one: KernelCase;
  real: Means;
  simulated: Means;
}

function rowsOf({ one, real, simulated }: Compared): TruthRow[] {
  const row = (what: string, truthBps: number, simulatedBps: number): TruthRow => ({
    what: `${one.name}: ${what}`,
    unit: 'Mbit/s',
    truth: truthBps / 1e6,
    simulated: simulatedBps / 1e6,
    boundRatio: BOUND,
  });
  const note = NOTES[one.name];
  const paths =
    one.paths.length === 1
      ? []
      : one.paths.map((path, index) => ({
          ...row(
            `path ${String(index + 1)} (${path})`,
            real.pathBps[index] ?? 0,
            simulated.pathBps[index] ?? 0,
          ),
          ...(note?.path === index ? { note: note.text } : {}),
        }));
  return [row('goodput', real.goodputBps, simulated.goodputBps), ...paths];
}

/** Who is better, MPTCP or the best path alone, in both worlds: near 1 both may be in bounds, and yet disagree. */
function winnerRow({ one, real, simulated }: Compared, all: readonly Compared[]): TruthRow[] {
  const single = singleOf(one);
  const alone = all.find((compared) => compared.one === single);
  if (alone === undefined) return [];
  const truth = real.goodputBps / alone.real.goodputBps;
  const ratio = simulated.goodputBps / alone.simulated.goodputBps;
  const isContrary = truth > 1 !== ratio > 1;
  return [
    {
      what: `${one.name}: MPTCP over the best path alone (${isContrary ? 'another winner' : 'same winner'})`,
      unit: '',
      truth,
      simulated: ratio,
      boundRatio: BOUND,
      isContrary,
    },
  ];
}

/** The simulator against the kernel of this machine, in the lab. */
export function checkKernel({ quick, progress }: TruthOptions): Section {
  const trials = quick ? 1 : 3;
  const seconds = quick ? 12 : 24;
  const title = `Linux kernel in the lab: Cubic, MPTCP's default scheduler, droptail 60 kB; means of ${String(trials)} trials of ${String(seconds)} s`;
  const compared: Compared[] = [];
  for (const one of KERNEL_CASES) {
    const real: CaseResult[] = [];
    for (let seed = 1; seed <= trials; seed += 1) {
      progress(`kernel: ${one.name}, trial ${String(seed)} of ${String(trials)}`);
      try {
        real.push(measureCase(one, seconds, seed));
      } catch (error) {
        const refusal = error instanceof Error ? error.message : String(error);
        return { name: 'kernel', title, rows: [], refusal };
      }
    }
    const seeds = Array.from({ length: SIMULATED_TRIALS }, (_, index) => index + 1);
    const simulated = seeds.map((seed) => simulateCase(one, seconds, seed));
    compared.push({ one, real: meansOf(real), simulated: meansOf(simulated) });
  }
  return {
    name: 'kernel',
    title,
    rows: compared.flatMap((one) => [...rowsOf(one), ...winnerRow(one, compared)]),
  };
}
