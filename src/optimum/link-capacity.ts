import type { DirectionSpec, LinkSpec, OutageSpec, TimelineEvent, TraceSpec } from '../scenario';
import { combineProfiles, profileOf, type RateProfile } from './rate-profile';

/** Stands for "unlimited": more than any media needs, and finite, so that sums stay numbers. */
export const UNLIMITED_BPS = 1e11;

const MTU_BYTES = 1500;

export interface CapacityOptions {
  /** Capacity is worked out so far; beyond it the last rate stays. */
  untilMs: number;
  /** IP and TCP headers of a full packet of 1500 bytes: 40 is the least there can be with IPv4, 60 with IPv6. */
  headerBytes: number;
}

/**
 * What one direction of a link can carry of TCP payload, over time: rate or trace, outages, timeline events, times the
 * share of packets that is not lost, times the payload's share of a packet. Time 0 is the start of the links' clock.
 */
export function linkCapacity(
  link: LinkSpec,
  direction: 'ab' | 'ba',
  events: readonly TimelineEvent[],
  options: CapacityOptions,
): RateProfile {
  const { untilMs } = options;
  const changes = events
    .filter((event) => event.link === link.id)
    .sort((one, other) => one.atMs - other.atMs);
  const parts: RateProfile[] = [];
  // Each facet follows the last event that set it, and starts anew with that event.
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

/** Whether a direction (or a change of one) says something of a facet, and what. */
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

/** One profile after the other, each from its own time 0. */
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

/** Share of packets lost, in the long run. */
export function lossShare({ lossRatio, burstLoss }: Partial<DirectionSpec>): number {
  if (!burstLoss) return lossRatio ?? 0;
  const { goodToBad, badToGood, lossBad = 1, lossGood = 0 } = burstLoss;
  const both = goodToBad + badToGood;
  // Nothing ever changes: it stays good.
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
