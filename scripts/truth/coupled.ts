import { errorText, mean } from '../../src/core';
import {
  congestionControls,
  createTcpStream,
  LinkDirection,
  MptcpConnection,
  schedulers,
  Simulation,
  Timer,
  type CongestionName,
} from '../../src/sim';
import { HALVING, sampleWindows, simulateHalving, type HalvingResult } from './halving';
import type { Section, TruthOptions, TruthRow } from './rows';
import { runInSandbox } from './run-in-sandbox';
import { SHARED_LINK, SHARED_WARM_UP_SECONDS, type SharedCaseResult } from './shared-link';
import { windowPicture, type Picture, type WindowTrace } from './windows';

const SECOND = 1e9;
/** The control of each subflow by itself, for comparison. */
const UNCOUPLED = 'reno';
const COUPLED = ['lia', 'olia', 'balia', 'wvegas', 'mcc'] as const;
/** Share of the MPTCP connection in what both connections receive. */
const BOUND = 0.1;
const SIMULATED_TRIALS = 8;

/** The same network and load in the simulator. */
function simulateShared(
  control: CongestionName,
  seconds: number,
  seed: number,
): { share: number; windows: WindowTrace } {
  const simulation = new Simulation(seed);
  const { rateBps, delayMs, queueBytes, accessRateBps, accessDelayMs } = SHARED_LINK;
  const line = (name: string, rate: number, delay: number, queue: number): LinkDirection =>
    new LinkDirection(simulation, name, {
      rateBps: rate,
      delayMs: delay,
      queueBytes: queue,
      queue: { discipline: 'droptail' },
    });
  const shared = (name: string): LinkDirection => line(name, rateBps, delayMs, queueBytes);
  const access = (name: string): LinkDirection =>
    line(name, accessRateBps, accessDelayMs, 10 * queueBytes);
  const [down, up] = [shared('shared down'), shared('shared up')];
  const ways = SHARED_LINK.access.map((name) => ({
    there: [access(`${name} up`), up],
    back: [down, access(`${name} down`)],
  }));
  const coupled = new MptcpConnection(simulation, {
    paths: ways,
    flow: 1,
    createScheduler: schedulers.mainline,
    createCongestion: congestionControls[control],
  });
  const plain = createTcpStream(simulation, {
    there: [access('plain up'), up],
    back: [down, access('plain down')],
    flow: 100,
    createCongestion: () => congestionControls.reno(),
  });
  coupled.server.send(1e13);
  plain.server.send(1e13);
  const windows = sampleWindows(simulation, coupled);
  coupled.connect();
  // The seed shifts the start, as two programs never start at once.
  new Timer(simulation, plain.connect).setAt(Math.round(seed * 0.037 * SECOND));
  simulation.run(SHARED_WARM_UP_SECONDS * SECOND);
  const before = [coupled.client.receivedBytes, plain.client.receivedBytes];
  simulation.run((SHARED_WARM_UP_SECONDS + seconds) * SECOND);
  const [mine = 0, theirs = 0] = [coupled.client, plain.client].map(
    ({ receivedBytes }, index) => receivedBytes - (before[index] ?? 0),
  );
  return { share: mine / (mine + theirs), windows };
}

/** A row of both halves of a run in which the rate of path 1 halves. */
function halvingRows(
  control: string,
  real: readonly HalvingResult[],
  simulated: readonly HalvingResult[],
): TruthRow[] {
  const rows = (phase: 'before' | 'after', when: string): TruthRow[] =>
    [0, 1].flatMap((path) => {
      const meanOf = (all: readonly HalvingResult[], read: 'pathBps' | 'cwnd'): number =>
        mean(all.map((one) => one[phase][read][path] ?? 0)) ?? 0;
      const name = `${control}: path ${path + 1} ${when} path 1 halves`;
      return [
        {
          what: name,
          unit: 'Mbit/s',
          truth: meanOf(real, 'pathBps') / 1e6,
          simulated: meanOf(simulated, 'pathBps') / 1e6,
          boundRatio: BOUND,
        },
        {
          what: `${name}, window`,
          unit: 'segments',
          truth: meanOf(real, 'cwnd'),
          simulated: meanOf(simulated, 'cwnd'),
        },
      ];
    });
  return [...rows('before', 'until'), ...rows('after', 'after')];
}

const CASES = {
  shared: 'a link shared with one TCP of Reno',
  halving: `the rate of path 1 halves after ${HALVING.halvesAtSeconds} s`,
} as const;

type Recorded = { windows: WindowTrace } | undefined;

/** The picture of a case's first trial, kernel and simulator. */
function pairOf(
  control: string,
  name: keyof typeof CASES,
  kernel: Recorded,
  simulated: Recorded,
): Picture[] {
  if (kernel === undefined || simulated === undefined) return [];
  const title = `${control}: windows, ${CASES[name]}`;
  return [windowPicture(`windows-${control}-${name}`, title, kernel.windows, simulated.windows)];
}

/** Compares the coupled controls in the kernel (`native/congestion`) with those of the simulator. */
export async function checkCoupled({ quick, progress }: TruthOptions): Promise<Section> {
  const trials = quick ? 1 : 5;
  const seconds = quick ? 20 : 60;
  const halvings = quick ? 1 : 2;
  const { rateBps, warmUpSeconds, halvesAtSeconds, endSeconds } = HALVING;
  const title = `Coupled controls in the kernel. Share of the link: one MPTCP connection of two subflows beside one TCP of Reno behind a droptail router of ${SHARED_LINK.rateBps / 1e6} Mbit/s; means of ${trials} trials of ${seconds} s. Halving: an endless download over two paths of ${rateBps / 1e6} Mbit/s, of which path 1 has half of it after ${halvesAtSeconds} s; IP rates and congestion windows from ${warmUpSeconds} to ${halvesAtSeconds} and to ${endSeconds} s; means of ${halvings} trials. Pictures: the first trial`;
  const rows: TruthRow[] = [];
  const halved: TruthRow[] = [];
  const pictures: Picture[] = [];
  /** Runs a script in the lab with every seed. */
  const repeat = async <Result>(
    script: string,
    count: number,
    what: string,
    argsOf: (seed: number) => readonly string[],
  ): Promise<Result[]> => {
    const results: Result[] = [];
    for (let seed = 1; seed <= count; seed += 1) {
      progress(`coupled: ${what}, trial ${seed} of ${count}`);
      results.push((await runInSandbox(script, argsOf(seed), what)) as Result);
    }
    return results;
  };
  for (const control of [UNCOUPLED, ...COUPLED] as const) {
    const name = control === UNCOUPLED ? control : `mpd_${control}`;
    let shared: SharedCaseResult[];
    let real: HalvingResult[];
    try {
      const argsOf = (seed: number): string[] => [name, String(seconds), String(seed)];
      shared = await repeat('coupled-lab.ts', trials, name, argsOf);
      const what = `${name}, a path halves`;
      real = await repeat('halving-lab.ts', halvings, what, (seed) => [name, String(seed)]);
    } catch (error) {
      return { name: 'coupled', title, rows: [], refusal: errorText(error) };
    }
    const simulatedHalving = simulateHalving(control, 1);
    halved.push(...halvingRows(control, real, [simulatedHalving]));
    const seeds = Array.from({ length: SIMULATED_TRIALS }, (_, index) => index + 1);
    const simulatedShared = seeds.map((seed) => simulateShared(control, seconds, seed));
    if (control !== UNCOUPLED) {
      pictures.push(...pairOf(control, 'shared', shared[0], simulatedShared[0]));
      pictures.push(...pairOf(control, 'halving', real[0], simulatedHalving));
    }
    rows.push({
      what: `${control}: share of the link`,
      unit: '',
      truth:
        mean(shared.map(({ coupledBps, plainBps }) => coupledBps / (coupledBps + plainBps))) ?? 0,
      simulated: mean(simulatedShared.map(({ share }) => share)) ?? 0,
      boundDifference: BOUND,
    });
  }
  return { name: 'coupled', title, rows: [...rows, ...halved], pictures };
}
