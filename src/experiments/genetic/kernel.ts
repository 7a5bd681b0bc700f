import type { Experiment, ExperimentOptions, ExperimentReport, ExperimentTable } from '../types';
import { APPROACH_TITLES, APPROACHES, COMPARED } from './approaches';
import { besideGenetic, claimsAgainstOthers } from './claims-paths';
import type { StreamJob, StreamOutcome } from './jobs';
import { comparisonText } from './judgements';
import { DEFAULT_CLIENT, PAPER } from './plan';
import { GeneticResults, METRIC_NAMES, METRICS } from './results';
import { BUFFER_MS, SEGMENT_MS } from './set-up';
import { VALUE_COLUMNS, valueCells } from './tables';
import type { TopologyName } from './switch-graph';

/** One run: on the kernel, the same one simulated, or simulated with Linux's scheduler and receive window. */
export type GeneticKernelJob = StreamJob & { backend: 'kernel' | 'simulated' | 'simulated-linux' };

/** Five clients in the middle topology: what two cores emulate in real time. */
const TOPOLOGY: TopologyName = 'custom';
const CLIENTS = 5;
const JOIN_MS = 4000;
const QUICK = { trials: 1, filmMs: 40_000 };
const WHOLE = { trials: 5, filmMs: 120_000 };
/**
 * Where a run takes place, and its client there. Of a tcp_rmem of 256 kB Linux 6.18 advertises 160 kB with packets of
 * 1500 B (rcv_ssthresh of ss).
 */
const BACKENDS = [
  { backend: 'kernel', label: 'kernel', client: DEFAULT_CLIENT },
  { backend: 'simulated', label: 'simulated', client: DEFAULT_CLIENT },
  {
    backend: 'simulated-linux',
    label: 'simulated as Linux',
    client: { scheduler: 'mainline', receiveBufferBytes: 160_000 },
  },
] as const;

function plan({ quick, seed, trials }: ExperimentOptions): GeneticKernelJob[] {
  const profile = quick ? QUICK : WHOLE;
  return Array.from({ length: trials ?? profile.trials }, (_, trial) => seed + trial).flatMap(
    (one) =>
      APPROACHES.filter((approach) => approach !== 'none').flatMap((approach) =>
        BACKENDS.map(({ backend, client }) => ({
          key: `${approach}/${backend}/${one}`,
          kind: 'stream' as const,
          ...client,
          ...{ topology: TOPOLOGY, clients: CLIENTS, approach, backend, seed: one },
          ...{ filmMs: profile.filmMs, joinMs: JOIN_MS },
        })),
      ),
  );
}

interface Result {
  job: GeneticKernelJob;
  outcome: StreamOutcome;
}

function on(results: readonly Result[], backend: GeneticKernelJob['backend']): GeneticResults {
  return new GeneticResults(results.filter(({ job }) => job.backend === backend));
}

function table(results: readonly Result[]): ExperimentTable {
  const rows = APPROACHES.flatMap((approach) =>
    BACKENDS.flatMap(({ backend, label }) => {
      const all = on(results, backend);
      if (all.runs({ approach }).length === 0) return [];
      return [[APPROACH_TITLES[approach], label, ...valueCells(all, { approach })]];
    }),
  );
  return {
    title: 'Path selection on the kernel and simulated',
    columns: [{ label: 'Approach' }, { label: 'Where' }, ...VALUE_COLUMNS],
    rows,
    note: 'A value is the mean over the clients of a trial; the interval is over trials. All have the same networks, places and film.',
  };
}

/** The comparison with each selection alone, which few trials cannot decide. */
function besideTable(results: GeneticResults): ExperimentTable {
  return {
    title: 'The genetic selection beside each other one, on the kernel',
    columns: [
      { label: 'Beside' },
      ...METRIC_NAMES.map((metric) => ({ label: METRICS[metric].title })),
    ],
    rows: COMPARED.map((other) => [
      APPROACH_TITLES[other],
      ...METRIC_NAMES.map((metric) =>
        comparisonText(besideGenetic(results, metric, DEFAULT_CLIENT, [other])),
      ),
    ]),
    note: '',
  };
}

function report(results: readonly Result[], { quick }: ExperimentOptions): ExperimentReport {
  const { filmMs } = quick ? QUICK : WHOLE;
  return {
    name: 'genetic-kernel',
    title: 'Path selection by a genetic algorithm, over the MPTCP of Linux',
    paper: PAPER,
    simulated: false,
    method: [
      `${CLIENTS} clients join the custom topology every ${JOIN_MS / 1000} s and watch a film of ${filmMs / 1000} s. Each client, each switch and the server is a network namespace; the links are emulated.`,
      'The controller reads the links’ counters every second. When a client joins it chooses the paths of its three subflows and installs their routes in the switches, by address.',
      `nginx serves, Linux's MPTCP and its scheduler carry, Cubic controls. A client is a program without pictures: segments of ${SEGMENT_MS / 1000} s, ${BUFFER_MS / 1000} s of buffer, the highest rung below 0.9 times its recent throughput.`,
      'Subflows are those that brought 10 kB, in the simulated rows those that were chosen. The simulated rows are the same runs with MPTCP’s minRTT and a receive window of 256 kB; as Linux: with mainline’s scheduler and 160 kB, which Linux advertises of that buffer.',
    ],
    tables: [table(results), besideTable(on(results, 'kernel'))],
    figures: [],
    claims: claimsAgainstOthers(on(results, 'kernel')),
  };
}

/** `experiment genetic --backend kernel`. */
export const geneticKernelExperiment: Experiment<GeneticKernelJob, StreamOutcome> = {
  name: 'genetic-kernel',
  summary: 'paths chosen in the network by a genetic algorithm, over the MPTCP of Linux',
  paper: PAPER,
  lasts: { quick: 'about three minutes', whole: 'about half an hour' },
  plan,
  run: () => {
    throw new Error('the lab measures these runs');
  },
  report,
};
