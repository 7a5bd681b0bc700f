import {
  isLinkEvent,
  type DirectionSpec,
  type LinkSpec,
  type OutageSpec,
  type TimelineEvent,
  type TraceSpec,
} from '../scenario';
import { combineProfiles, profileOf, type RateProfile } from './rate-profile';

/** Value of an unlimited rate: more than any media needs, and finite, so that sums stay numbers. */
export const UNLIMITED_BPS = 1e11;

/** Size of a full packet, which bulk transfers send. */
const MTU_BYTES = 1500;

export interface CapacityOptions {
  /** The capacity is computed up to this time; afterwards the last rate stays. */
  untilMs: number;
  /** IP and TCP headers of a full packet of 1500 bytes: at least 40 with IPv4, 60 with IPv6. */
  headerBytes: number;
}

/**
 * TCP payload capacity of one direction of a link over time. It follows from rate or trace, outages and
 * timeline events, the share of lost packets, and the payload share of a packet. Time 0 is the start of
 * the links' clock.
 */
export function linkCapacity(
  link: LinkSpec,
  direction: 'ab' | 'ba',
  events: readonly TimelineEvent[],
  options: CapacityOptions,
): RateProfile {
  const { untilMs } = options;
  const changes = events
    .filter((event) => isLinkEvent(event) && event.link === link.id)
    .sort((one, other) => one.atMs - other.atMs);
  const parts: RateProfile[] = [];
  // Each facet follows the last event that set it, and restarts with that event.
  parts.push(
    follow(link[direction], direction, changes, untilMs, 'rate'),
    follow(link[direction], direction, changes, untilMs, 'outages'),
    follow(link[direction], direction, changes, untilMs, 'loss'),
    stateProfile(changes),
  );
  const payload = (MTU_BYTES - options.headerBytes) / MTU_BYTES;
  return combineProfiles(parts, (shares) =>
    shares.reduce((product, one) => product * one, payload),
  );
}

type Facet = 'rate' | 'outages' | 'loss';

/** The part of a direction, or of a change, that concerns a facet. */
function facetProfile(
  facet: Facet,
  spec: Partial<DirectionSpec>,
  untilMs: number,
): RateProfile | undefined {
  switch (facet) {
    case 'rate':
      if (spec.trace) return traceProfile(spec.trace, untilMs);
      return spec.rateBps === undefined ? undefined : constant(spec.rateBps);
    case 'outages':
      return spec.outages ? outageProfile(spec.outages, untilMs) : undefined;
    case 'loss': {
      const given = spec.lossRatio !== undefined || spec.burstLoss !== undefined;
      return given ? constant(1 - lossShare(spec)) : undefined;
    }
  }
}

function follow(
  first: DirectionSpec,
  direction: 'ab' | 'ba',
  changes: readonly TimelineEvent[],
  untilMs: number,
  facet: Facet,
): RateProfile {
  const pieces = [
    {
      atMs: 0,
      profile:
        facetProfile(facet, first, untilMs) ?? constant(facet === 'rate' ? UNLIMITED_BPS : 1),
    },
  ];
  for (const change of changes) {
    if (change.kind !== 'link-change') continue;
    const profile = facetProfile(facet, change[direction] ?? {}, untilMs - change.atMs);
    if (profile) pieces.push({ atMs: change.atMs, profile });
  }
  return joined(pieces);
}

/** Concatenates profiles, each from its own time 0. */
function joined(pieces: readonly { atMs: number; profile: RateProfile }[]): RateProfile {
  const atMs: number[] = [];
  const rateBps: number[] = [];
  for (const [i, piece] of pieces.entries()) {
    const endMs = pieces[i + 1]?.atMs ?? Infinity;
    for (const [step, ms] of piece.profile.atMs.entries()) {
      if (piece.atMs + ms >= endMs) break;
      atMs.push(piece.atMs + ms);
      rateBps.push(piece.profile.rateBps[step] ?? 0);
    }
  }
  return { atMs, rateBps };
}

function constant(rate: number): RateProfile {
  return { atMs: [0], rateBps: [rate] };
}

/** Long-run share of packets lost. */
export function lossShare({ lossRatio, burstLoss }: Partial<DirectionSpec>): number {
  if (!burstLoss) return lossRatio ?? 0;
  const { goodToBad, badToGood, lossBad = 1, lossGood = 0 } = burstLoss;
  const both = goodToBad + badToGood;
  // No change ever follows: the value stays valid.
  return both > 0 ? (goodToBad * lossBad + badToGood * lossGood) / both : lossGood;
}

function traceProfile({ steps, once = false }: TraceSpec, untilMs: number): RateProfile {
  const atMs: number[] = [];
  const rateBps: number[] = [];
  let ms = 0;
  do {
    const roundMs = ms;
    for (const step of steps) {
      if (ms > untilMs) break;
      atMs.push(ms);
      rateBps.push(step.rateBps);
      ms += step.durationMs;
    }
    if (ms === roundMs) break;
  } while (!once && ms <= untilMs);
  return atMs.length > 0 ? { atMs, rateBps } : constant(UNLIMITED_BPS);
}

function outageProfile({ outages, periodMs }: OutageSpec, untilMs: number): RateProfile {
  const spans: { fromMs: number; toMs: number }[] = [];
  const rounds = periodMs !== undefined && periodMs > 0 ? Math.floor(untilMs / periodMs) + 1 : 1;
  for (let round = 0; round < rounds; round += 1) {
    for (const { atMs, durationMs } of outages) {
      const fromMs = atMs + round * (periodMs ?? 0);
      spans.push({ fromMs, toMs: fromMs + durationMs });
    }
  }
  let at = 0;
  return profileOf(
    spans.flatMap(({ fromMs, toMs }) => [fromMs, toMs]),
    (ms) => {
      while ((spans[at]?.toMs ?? Infinity) <= ms) at += 1;
      return (spans[at]?.fromMs ?? Infinity) <= ms ? 0 : 1;
    },
  );
}

function stateProfile(changes: readonly TimelineEvent[]): RateProfile {
  const states = changes.filter((event) => event.kind === 'link-state');
  return profileOf(
    states.map(({ atMs }) => atMs),
    (ms) => ((states.filter((event) => event.atMs <= ms).at(-1)?.state ?? 'up') === 'up' ? 1 : 0),
  );
}
