import {
  DEMO_LADDER,
  DEMO_SEGMENT_SECONDS,
  expandTopology,
  type DirectionSpec,
  type MediaSizes,
  type Scenario,
} from '../../scenario';
import type { ValidationJob } from './job';
import type { PairFilm, PairLink, PairPath } from './pair-types';

/** Delay each way and queue of the link, as in the scenarios of recordings. */
const LINKS = {
  wifi: { delayMs: 10, queueBytes: 60_000 },
  lte: { delayMs: 35, queueBytes: 100_000 },
} as const;

/** The link of a network. */
export const linkOf = ({ id, link }: Pick<PairPath, 'id' | 'link'>): PairLink => link ?? LINKS[id];

/** Segments and ladder of the demo, which `scenarios/decisions` uses too. */
const DEMO_FILM: PairFilm = {
  ladderBps: DEMO_LADDER.map(({ bitrateBps }) => bitrateBps),
  segmentMs: DEMO_SEGMENT_SECONDS * 1000,
};

/** The film of a pair. */
export const filmOf = (own: PairFilm | undefined): PairFilm => own ?? DEMO_FILM;

/** Mbit/s of QoE in units of a ladder up to 6 Mbit/s, the demo's: films of any rates are comparable. */
export const qoeUnitOf = ({ video }: MediaSizes): number =>
  Math.max(...DEMO_FILM.ladderBps) / Math.max(...video.map(({ bitrateBps }) => bitrateBps));

export type PairScenario = Pick<
  Scenario,
  'name' | 'topology' | 'traffic' | 'events' | 'durationMs'
>;

/** The network of a pair, in the form of a scenario. */
export function pairScenario({
  key,
  pair,
  durationMs,
}: Pick<ValidationJob, 'key' | 'pair' | 'durationMs'>): PairScenario {
  const topology = expandTopology({ kind: 'multihomed', paths: pair.paths.map(access) });
  const events = pair.paths.flatMap(({ id, away = [] }) => {
    const link = topology.paths.find((path) => path.id === id)?.via[0] ?? id;
    const change = (atMs: number, state: 'up' | 'down') =>
      ({ atMs, kind: 'link-state', link, state }) as const;
    return away.flatMap(({ fromMs, toMs }) => [change(fromMs, 'down'), change(toMs, 'up')]);
  });
  return { name: key, topology, traffic: [], events, durationMs };
}

function access(path: PairPath): {
  id: string;
  down: DirectionSpec;
  up: DirectionSpec;
} {
  const { id, source, stepMs, kbps } = path;
  const link = { ...linkOf(path), queue: { discipline: 'droptail' as const } };
  const steps = kbps.map((rate) => ({ durationMs: stepMs, rateBps: rate * 1000 }));
  // Both directions follow the rates, as in a scenario.
  const direction: DirectionSpec = { ...link, trace: { file: source, steps } };
  return { id, down: direction, up: direction };
}

/** Milliseconds of an interval in which a path carries at least a rate; losses of carrier to a step of its rates. */
export function carriedMs(
  { pair }: ValidationJob,
  rateBps: number,
  fromMs: number,
  toMs: number,
): number {
  let sumMs = 0;
  const changes = pair.paths.map(({ stepMs }) => stepMs);
  const stepMs = Math.min(...changes);
  for (let atMs = fromMs; atMs < toMs;) {
    const endMs = Math.min(toMs, (Math.floor(atMs / stepMs) + 1) * stepMs);
    const isCarried = pair.paths.some((path) => rateAt(path, (atMs + endMs) / 2) * 1000 >= rateBps);
    if (isCarried) sumMs += endMs - atMs;
    atMs = endMs;
  }
  return sumMs;
}

const rateAt = ({ stepMs, kbps, away = [] }: PairPath, ms: number): number =>
  away.some(({ fromMs, toMs }) => fromMs <= ms && ms < toMs)
    ? 0
    : (kbps[Math.floor(ms / stepMs) % kbps.length] ?? 0);

/** Rate of the lowest rung, bit/s. */
export const lowestRate = ({ video }: MediaSizes): number =>
  Math.min(...video.map(({ bitrateBps }) => bitrateBps));
