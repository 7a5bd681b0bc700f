import { createRandom, drawLogUniform, type Random } from '../../core';
import type { ReadShipped } from '../types';
import {
  COLLECTIONS,
  readCollection,
  type CollectionName,
  type SampledTrace,
} from './sampled-traces';
import { otherPair } from './other-networks';
import type { PairFilm, PairPath, Spell } from './pair-types';
import { drawWalk } from './walk';

/** `training` may be looked at while a player is designed, `validation` only to report on it. */
export type PairSet = 'training' | 'validation';

/** `loss`: a pair of traces, of which one loses its link now and then. `other`: networks and films unlike the rest. */
export const PAIR_KINDS = ['walk', 'trace', 'loss', 'other'] as const;
export type PairKind = (typeof PAIR_KINDS)[number];

export interface NetworkPair {
  kind: PairKind;
  number: number;
  paths: readonly [PairPath, PairPath];
  /** Absent: the demo's. */
  film?: PairFilm;
}

/** Seeds of different sets are this far apart, so that no set reaches into another. */
const SET_STEP = 1_000_000;
/** The fixed beginning of each set's seeds. */
const SET_SEEDS: Readonly<Record<PairSet, number>> = { training: 1, validation: 2 * SET_STEP };
/** Trace pairs have seeds of their own, and so have those with losses. */
const KIND_STEPS: Readonly<Record<PairKind, number>> = {
  walk: 0,
  other: 250_000,
  trace: 500_000,
  loss: 750_000,
};

/** Sum of both means: enough for the upper rungs of the ladder of 0.3 to 6 Mbit/s, but not always. */
const MEAN_KBPS = 5500;
/** The two means are up to this many times apart, evenly in the logarithm. */
const MAX_RATIO = 4;
/** The networks outlast the session by this much before they repeat. */
const REST_SECONDS = 60;

export interface PairWish {
  set: PairSet;
  kind: PairKind;
  count: number;
  /** Moves a training set on. A validation set is always the same. */
  seed: number;
  /** Length of a session. The networks outlast it by {@link REST_SECONDS}. */
  seconds: number;
  read: ReadShipped;
}

/** Pairs of networks of a set; a longer list begins with the shorter one. */
export function drawPairs({ set, kind, count, seed, seconds, read }: PairWish): NetworkPair[] {
  const until = seconds + REST_SECONDS;
  const first = SET_SEEDS[set] + (set === 'training' ? seed * 1000 : 0);
  const traces = kind === 'walk' || kind === 'other' ? undefined : tracesOf(set, read);
  return Array.from({ length: count }, (_, number) => {
    const random = createRandom(first + number + KIND_STEPS[kind]);
    if (kind === 'other') return { kind, number, ...otherPair(random, until) };
    const ratio = MAX_RATIO ** (2 * random() - 1);
    const shares = [ratio / (1 + ratio), 1 / (1 + ratio)] as const;
    const [wifi, lte] = traces === undefined ? walkPair(random, until) : tracePair(random, traces);
    const paths = [scaled('wifi', wifi, shares[0]), scaled('lte', lte, shares[1])] as const;
    return { kind, number, paths: kind === 'loss' ? withLosses(random, paths, until) : paths };
  });
}

type Rates = Omit<PairPath, 'id'>;

function walkPair(random: Random, seconds: number): [Rates, Rates] {
  const walk = (network: 'wifi' | 'cellular'): Rates => ({
    source: `walk/${network}`,
    stepMs: 1000,
    kbps: drawWalk(random, network, seconds),
  });
  return [walk('wifi'), walk('cellular')];
}

/** Two collections at random, a trace of each, from anywhere in it on. */
function tracePair(
  random: Random,
  traces: ReadonlyMap<CollectionName, readonly SampledTrace[]>,
): [Rates, Rates] {
  const draw = (): Rates => {
    const collection = COLLECTIONS[Math.floor(random() * COLLECTIONS.length)] ?? 'ghent-4g';
    const list = traces.get(collection) ?? [];
    const trace = list[Math.floor(random() * list.length)];
    if (trace === undefined) throw new RangeError(`${collection}: no traces`);
    const from = Math.floor(random() * trace.kbps.length);
    const kbps = [...trace.kbps.slice(from), ...trace.kbps.slice(0, from)];
    return { source: `${trace.name}+${from}`, stepMs: trace.stepMs, kbps };
  };
  return [draw(), draw()];
}

/** Mean times with and without carrier, evenly in the logarithm, ms. Chosen; no measurement. */
const UP_MS = [4000, 40_000] as const;
const AWAY_MS = [1000, 12_000] as const;
/** Share of the pairs whose losses are regular. In the others the times have an exponential distribution. */
const REGULAR_SHARE = 0.4;
/** The shortest time with or without carrier. */
const MIN_SPELL_MS = 300;

/** One of the two loses its carrier again and again: a train, a walk along access points. */
function withLosses(
  random: Random,
  [wifi, lte]: NetworkPair['paths'],
  seconds: number,
): NetworkPair['paths'] {
  const isWifi = random() < 0.5;
  const [upMs, awayMs] = [drawLogUniform(random, UP_MS), drawLogUniform(random, AWAY_MS)];
  const isRegular = random() < REGULAR_SHARE;
  const draw = (meanMs: number): number =>
    Math.round(Math.max(MIN_SPELL_MS, isRegular ? meanMs : -meanMs * Math.log(1 - random())));
  const away: Spell[] = [];
  let fromMs = draw(upMs);
  while (fromMs < seconds * 1000) {
    const toMs = fromMs + draw(awayMs);
    away.push({ fromMs, toMs });
    fromMs = toMs + draw(upMs);
  }
  return isWifi ? [{ ...wifi, away }, lte] : [wifi, { ...lte, away }];
}

/** Every second trace belongs to the training set, so that no trace is in both. */
function tracesOf(
  set: PairSet,
  read: ReadShipped,
): ReadonlyMap<CollectionName, readonly SampledTrace[]> {
  const own = set === 'training' ? 0 : 1;
  return new Map(
    COLLECTIONS.map((name) => [
      name,
      readCollection(read, name).filter((_, index) => index % 2 === own),
    ]),
  );
}

function scaled(id: PairPath['id'], rates: Rates, share: number): PairPath {
  const mean = rates.kbps.reduce((sum, one) => sum + one, 0) / rates.kbps.length || 1;
  const factor = (share * MEAN_KBPS) / mean;
  return { id, ...rates, kbps: rates.kbps.map((one) => Math.round(one * factor)) };
}
