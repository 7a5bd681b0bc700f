import { clamp, createRandom, formatBitRate, mean, type PathId } from '../../core';
import { nameList, rttMs } from '../choose';
import { definePolicy, type PathRuleInput, type PolicyStep } from '../define-policy';
import {
  defaultGeneticSearchConfig,
  searchGenetically,
  type Chromosome,
  type GeneticSearchConfig,
} from './genetic-search';
import type { ObservedPath } from '../observation';
import {
  defaultSharedBottleneckConfig,
  isPair,
  noSharedBottleneck,
  observeSharedBottlenecks,
  type CongestedPair,
  type SharedBottleneckConfig,
  type SharedBottleneckMemory,
} from './shared-bottleneck';

export interface GeneticConfig extends GeneticSearchConfig, SharedBottleneckConfig {
  /** Weight of small delay differences (alpha of equation 7). The paper leaves it open. Example: 0.5. */
  delayWeight: number;
  /** Weight of bandwidth (beta of equation 7). Example: 0.5. */
  bandwidthWeight: number;
  /**
   * Delay difference of two paths that counts as the worst. Example: 100 ms one way; above it, section I saw
   * 2 s of outage in 9 s.
   */
  worstDifferenceMs: number;
  /** Paths with a longer one-way delay are not considered (thr_delay of equation 4). Example: 400 ms. */
  maxDelayMs: number;
  /** Relative change of all paths' bandwidth that starts a new search (section III-A names such a threshold). Example: 0.25. */
  bandwidthChange: number;
  /** Change of the fitness of the paths in use that starts a new search. Example: 0.1. */
  fitnessChange: number;
  /** Minimum time between searches with the same paths. Example: 3000 ms. */
  minIntervalMs: number;
  seed: number;
}

/** Input of a search. */
interface Occasion {
  candidates: readonly PathId[];
  pairs: readonly (readonly [PathId, PathId])[];
  sumBps: number;
  fitness: number;
  atMs: number;
}

interface GeneticMemory {
  shared: SharedBottleneckMemory;
  chosen: readonly PathId[];
  /** Input of the last search. */
  last: Occasion | null;
  searches: number;
}

/**
 * Path selection by a genetic algorithm (Bikas and Sayit, section III-C). There is one gene for
 * each local address (constraint 5). Its value is the server address, or 0 for none. Fitness follows
 * equations 7 to 9 over live rates and delays. It is 0 when two chosen paths share a congested link
 * (Algorithm 3, lines 5-7).
 */
export const geneticPolicy = definePolicy<GeneticMemory, GeneticConfig>({
  name: 'genetic',
  summary: 'Most bandwidth and least delay difference (genetic)',
  defaults: {
    ...defaultGeneticSearchConfig,
    ...defaultSharedBottleneckConfig,
    delayWeight: 0.5,
    bandwidthWeight: 0.5,
    worstDifferenceMs: 100,
    maxDelayMs: 400,
    bandwidthChange: 0.25,
    fitnessChange: 0.1,
    minIntervalMs: 3000,
    seed: 1,
  },
  limits: {
    populationSize: [2, 500],
    generations: [1, 1000],
    mutationRate: [0, 1],
    eliteCount: [1, 100],
    minSamples: [3, 1000],
    maxSamples: [3, 1000],
    rampMs: [0, 60_000],
    delayCorrelation: [-1, 1],
    rateCorrelation: [0, 1],
    congestedQueueShare: [0, 1],
    verdictMs: [0, 1e9],
    delayWeight: [0, 1],
    bandwidthWeight: [0, 1],
    worstDifferenceMs: [1, 60_000],
    maxDelayMs: [1, 60_000],
    bandwidthChange: [0, 10],
    fitnessChange: [0, 1],
    minIntervalMs: [0, 1e9],
    seed: [0, 2 ** 32 - 1],
  },
  start: () => ({ shared: noSharedBottleneck, chosen: [], last: null, searches: 0 }),
  rule: (memory, seen) => {
    const { config, nowMs } = seen;
    const shared = observeSharedBottlenecks(memory.shared, seen.paths, nowMs, config);
    const candidates = candidatePaths(seen);
    const fitness = fitnessFor(candidates, shared.pairs, config);
    const inUse = candidates.filter(({ path }) => memory.chosen.includes(path.pathId));
    const now: Occasion = {
      candidates: candidates.map(({ path }) => path.pathId),
      pairs: shared.pairs.map(({ a, b }) => [a, b] as const),
      sumBps: candidates.reduce((sum, { rateBps }) => sum + rateBps, 0),
      fitness: fitness(inUse),
      atMs: nowMs,
    };
    const next = { ...memory, shared };
    if (!isSearchDue(memory.last, now, config)) {
      return verdict(next, inUse, shared.pairs);
    }
    const genes = byLocal(candidates);
    const decode = (chromosome: Chromosome): Candidate[] =>
      genes.flatMap((options, i) => options[(chromosome[i] ?? 0) - 1] ?? []);
    const random = createRandom(config.seed + memory.searches);
    const space = {
      options: genes.map((options) => options.length),
      fitness: (chromosome: Chromosome) => fitness(decode(chromosome)),
    };
    const found = searchGenetically(space, config, random);
    // The paths in use stay unless a better choice was found.
    const set = found.fitness > now.fitness ? decode(found.best) : inUse;
    const chosen = set.map(({ path }) => path.pathId);
    const last = { ...now, fitness: fitness(set) };
    return verdict({ ...next, chosen, last, searches: memory.searches + 1 }, set, shared.pairs);
  },
});

interface Candidate {
  path: ObservedPath;
  local: string;
  rateBps: number;
  delayMs: number;
}

/** Every local x remote pair that could carry data, with measured or assumed values. */
function candidatePaths({ paths, config }: PathRuleInput<GeneticConfig>): Candidate[] {
  const usable = paths.filter(({ state }) => state !== 'lost');
  const isMeasured = (path: ObservedPath): boolean => path.rateBps > 0 || path.confidence > 0;
  const meanBps = mean(usable.filter(isMeasured).map(({ rateBps }) => rateBps)) ?? 1;
  const delays = usable.flatMap((path) => rttMs(path) ?? []).map((rtt) => rtt / 2);
  const all = usable.map((path): Candidate => {
    const local = localOf(path);
    const rtt = rttMs(path);
    const siblings = usable.filter((other) => isMeasured(other) && localOf(other) === local);
    // Untried: as good as the average network, but never better than another server address of the same network.
    const assumedBps =
      siblings.length > 0 ? Math.min(...siblings.map(({ rateBps }) => rateBps)) / 2 : meanBps;
    return {
      path,
      local,
      rateBps: isMeasured(path) ? path.rateBps : assumedBps,
      delayMs: rtt === undefined ? (mean(delays) ?? 0) : rtt / 2,
    };
  });
  // Genes are ordered by name, whatever the order of the feed.
  all.sort((a, b) => (a.path.pathId < b.path.pathId ? -1 : 1));
  const near = all.filter(({ delayMs }) => delayMs <= config.maxDelayMs);
  return near.length > 0 ? near : all;
}

function localOf(path: ObservedPath): string {
  return path.localAddress ?? path.interfaceName ?? path.pathId;
}

function byLocal(candidates: readonly Candidate[]): Candidate[][] {
  const groups = new Map<string, Candidate[]>();
  for (const candidate of candidates) {
    groups.set(candidate.local, [...(groups.get(candidate.local) ?? []), candidate]);
  }
  return [...groups.values()];
}

/**
 * Equation 7 with both parts normalised to 0..1: alpha * (1 - delay differences (8) / their greatest possible sum)
 * + beta * bandwidth (9) / the greatest possible sum of one path a local address.
 */
function fitnessFor(
  candidates: readonly Candidate[],
  congested: readonly CongestedPair[],
  config: GeneticConfig,
): (set: readonly Candidate[]) => number {
  const locals = byLocal(candidates);
  const pairCount = Math.max(1, (locals.length * (locals.length - 1)) / 2);
  const maxBps = locals
    .map((options) => Math.max(...options.map(({ rateBps }) => rateBps)))
    .reduce((sum, rateBps) => sum + rateBps, 0);
  const meet = (one: Candidate, other: Candidate): boolean =>
    congested.some((pair) => isPair(pair, one.path.pathId, other.path.pathId));
  return (set) => {
    if (set.length === 0) return 0;
    let differences = 0;
    for (const [i, one] of set.entries()) {
      for (const other of set.slice(i + 1)) {
        if (meet(one, other)) return 0;
        const differenceMs = Math.abs(one.delayMs - other.delayMs);
        differences += Math.min(1, differenceMs / config.worstDifferenceMs);
      }
    }
    const bandwidth =
      maxBps > 0
        ? set.reduce((sum, { rateBps }) => sum + rateBps, 0) / maxBps
        : set.length / locals.length;
    const likeness = 1 - differences / pairCount;
    return config.delayWeight * likeness + config.bandwidthWeight * clamp(bandwidth, 0, 1);
  };
}

function isSearchDue(last: Occasion | null, now: Occasion, config: GeneticConfig): boolean {
  if (last?.candidates.join('\n') !== now.candidates.join('\n')) return true;
  const pairKey = ({ pairs }: Occasion): string =>
    pairs
      .map(([a, b]) => [a, b].sort().join('\t'))
      .sort()
      .join('\n');
  if (pairKey(last) !== pairKey(now)) return true;
  if (now.atMs - last.atMs < config.minIntervalMs) return false;
  const bandwidthMoved = Math.abs(now.sumBps - last.sumBps) > config.bandwidthChange * last.sumBps;
  return bandwidthMoved || Math.abs(now.fitness - last.fitness) > config.fitnessChange;
}

function verdict(
  memory: GeneticMemory,
  set: readonly Candidate[],
  congested: readonly CongestedPair[],
): PolicyStep<GeneticMemory> {
  const active = set.map(({ path }) => path.pathId);
  const rate = formatBitRate(set.reduce((sum, { rateBps }) => sum + rateBps, 0));
  const names = nameList(set.map(({ path }) => path));
  const clash = congested.find(({ a, b }) => active.includes(a) !== active.includes(b));
  const why = clash
    ? `${active.includes(clash.a) ? clash.b : clash.a} meets ${active.includes(clash.a) ? clash.a : clash.b} in a congested link`
    : 'most bandwidth for least delay difference';
  return { memory, active, reason: `${names} (${rate}): ${why}` };
}
