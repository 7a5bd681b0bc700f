import { errorText, mean } from '../../src/core';
import { checkCongestionControls } from '../../src/lab';
import { type CaseResult, KERNEL_CASES, type KernelCase, singleOf } from './cases';
import type { RefusedCase, Section, TruthOptions, TruthRow } from './rows';
import { runInSandbox } from './run-in-sandbox';
import { simulateCase } from './simulate-case';

const BOUND = 0.1;
/** The seed of a simulation decides its losses, so several are averaged. */
const SIMULATED_TRIALS = 8;

/** The known cause of a path's difference. */
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
  const meanOf = (read: (result: CaseResult) => number): number => mean(results.map(read)) ?? 0;
  return {
    goodputBps: meanOf(({ goodputBps }) => goodputBps),
    pathBps: (results[0]?.pathBps ?? []).map((_, index) =>
      meanOf(({ pathBps }) => pathBps[index] ?? 0),
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
            `path ${index + 1} (${path})`,
            real.pathBps[index] ?? 0,
            simulated.pathBps[index] ?? 0,
          ),
          ...(note?.path === index ? { note: note.text } : {}),
        }));
  return [row('goodput', real.goodputBps, simulated.goodputBps), ...paths];
}

/**
 * The winner, MPTCP or the best path alone, on both sides: near 1 both may be within bounds, and still
 * disagree.
 */
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

/** Why this kernel cannot run a case: it lacks the case's congestion control. */
async function refusalOf({ control }: KernelCase): Promise<string | undefined> {
  if (control === undefined) return undefined;
  try {
    const server = { id: 'server', role: 'server', congestionControl: control } as const;
    await checkCongestionControls({ nodes: [server] });
    return undefined;
  } catch (error) {
    return errorText(error);
  }
}

/**
 * Compares the simulator with the kernel of this machine, in the lab. A control that the kernel lacks refuses its own
 * cases only.
 */
export async function checkKernel({ quick, progress }: TruthOptions): Promise<Section> {
  const trials = quick ? 1 : 3;
  const seconds = quick ? 12 : 24;
  const title = `Linux kernel in the lab: Cubic where a case names no other control, MPTCP's default scheduler, droptail 60 kB; means of ${trials} trials of ${seconds} s`;
  const compared: Compared[] = [];
  const refused: RefusedCase[] = [];
  for (const one of KERNEL_CASES) {
    const reason = await refusalOf(one);
    if (reason !== undefined) {
      refused.push({ what: one.name, reason });
      continue;
    }
    const real: CaseResult[] = [];
    for (let seed = 1; seed <= trials; seed += 1) {
      progress(`kernel: ${one.name}, trial ${seed} of ${trials}`);
      try {
        const args = [one.name, String(seconds), String(seed)];
        real.push((await runInSandbox('kernel-lab.ts', args, `case ${one.name}`)) as CaseResult);
      } catch (error) {
        const refusal = errorText(error);
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
    ...(refused.length > 0 ? { refused } : {}),
  };
}
