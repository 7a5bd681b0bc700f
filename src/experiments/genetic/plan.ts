import type { ExperimentOptions } from '../types';
import { ablationJobs } from './ablations';
import { APPROACHES, type Approach } from './approaches';
import type { GeneticJob, SearchJob, StreamJob } from './jobs';
import { CLIENT_COUNTS, type ClientCount } from './link-values';
import { TOPOLOGY_NAMES, type TopologyName } from './switch-graph';

export const PAPER = 'Improving QoE with Genetic Algorithm-based Path Selection for MPTCP';

/** Client-side receive buffers (section IV-A-2); the middle one is the default. */
export const BUFFER_BYTES = [125_000, 256_000, 512_000] as const;
/** Values of the fields that are not compared. */
export const DEFAULT_CLIENT = { scheduler: 'min-rtt', receiveBufferBytes: 256_000 } as const;
export const SCHEDULERS = ['min-rtt', 'daps'] as const;
/**
 * Setting of the comparison of schedulers and buffers (section IV-B-2), and of the paper's runs without
 * selection.
 */
export const CLIENT_SIDE_TOPOLOGY: TopologyName = 'compuserve';
export const UNSELECTED = { topology: 'compuserve', clients: 5 } as const;

/** The runs: the paper's, or a set that takes two cores about three minutes. */
interface Profile {
  trials: number;
  filmMs: number;
  joinMs: number;
  clients: readonly ClientCount[];
  clientSideClients: ClientCount;
  populations: readonly number[];
}

const WHOLE: Profile = {
  trials: 10,
  filmMs: 540_000,
  joinMs: 4000,
  clients: CLIENT_COUNTS,
  clientSideClients: 30,
  populations: [28, 50, 100, 150, 200, 250, 300],
};
const QUICK: Profile = {
  trials: 3,
  filmMs: 50_000,
  joinMs: 1000,
  clients: [5, 30],
  clientSideClients: 10,
  populations: [28, 150, 300],
};

export function profileOf({ quick }: Pick<ExperimentOptions, 'quick'>): Profile {
  return quick ? QUICK : WHOLE;
}

/** All runs, one trial after the other; without `quick` the ablations last. A cell that two figures show is run once. */
export function planGenetic(options: ExperimentOptions): GeneticJob[] {
  const profile = profileOf(options);
  const trials = options.trials ?? profile.trials;
  const jobs = new Map<string, GeneticJob>();
  for (let trial = 0; trial < trials; trial += 1) {
    const seed = options.seed + trial;
    for (const job of trialJobs(profile, seed)) jobs.set(job.key, job);
  }
  const all = [...jobs.values()];
  return options.quick ? all : [...all, ...ablationJobs(all, options.seed)];
}

function trialJobs(profile: Profile, seed: number): GeneticJob[] {
  const stream = (
    topology: TopologyName,
    clients: ClientCount,
    approach: Approach,
    scheduler: StreamJob['scheduler'] = DEFAULT_CLIENT.scheduler,
    receiveBufferBytes: number = DEFAULT_CLIENT.receiveBufferBytes,
  ): StreamJob => {
    const { filmMs, joinMs } = profile;
    const key = [topology, clients, approach, scheduler, receiveBufferBytes, seed].join('/');
    const rest = { topology, clients, approach, scheduler, receiveBufferBytes };
    return { key, kind: 'stream', ...rest, seed, filmMs, joinMs };
  };
  const selecting = APPROACHES.filter((approach) => approach !== 'none');
  const paths = TOPOLOGY_NAMES.flatMap((topology) =>
    profile.clients.flatMap((clients) =>
      selecting.map((approach) => stream(topology, clients, approach)),
    ),
  );
  const unselected = stream(UNSELECTED.topology, UNSELECTED.clients, 'none');
  const clientSide = SCHEDULERS.flatMap((scheduler) =>
    BUFFER_BYTES.flatMap((bytes) =>
      selecting.map((approach) =>
        stream(CLIENT_SIDE_TOPOLOGY, profile.clientSideClients, approach, scheduler, bytes),
      ),
    ),
  );
  const searches = TOPOLOGY_NAMES.flatMap((topology) =>
    profile.populations.map((population): SearchJob => ({
      key: ['search', topology, population, seed].join('/'),
      kind: 'search',
      topology,
      population,
      seed,
    })),
  );
  return [...paths, unselected, ...clientSide, ...searches];
}
