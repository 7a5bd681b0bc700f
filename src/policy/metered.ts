import { formatDuration, networkOf, type PathId } from '../core';
import { byRtt, nameList } from './choose';
import { dues, spareMs, type Due } from './deadlines';
import { definePolicy, type PathRuleInput } from './define-policy';
import type { ObservedPath } from './observation';

export interface MeteredConfig {
  /**
   * Bytes that all reserved paths together may carry in the session. null: no limit except their own.
   * Example: 50e6.
   */
  budgetBytes: number | null;
  /**
   * A budget counts as spent with this much left, because a stopped path still delivers its data in flight.
   * Example: 100 kB (37-87 kB were measured).
   */
  drainBytes: number;
  /** A segment should be complete this long before its deadline. Example: 500 ms. */
  reserveMs: number;
  /**
   * A costly path joins if, with its help, only this much spare time would be left. Example: 1000 ms, for its
   * start and the error of the rates.
   */
  leadMs: number;
  /** It leaves again once the preferred paths alone have this much spare time. Example: 500 ms. */
  leaveMs: number;
  /** It stays until this much is buffered; otherwise it would return for the next segment. Example: 5000 ms. */
  leaveBufferMs: number;
  /** While the preferred paths' rate is unknown, a costly one joins this long before a deadline. Example: 1000 ms. */
  unknownLeadMs: number;
  /**
   * A preferred path below this rate is a backup while a costly one carries, except over byte ranges. Example: 250 kbit/s,
   * at which a burst of 64 kB takes 2 s.
   */
  slowBps: number;
}

interface MeteredMemory {
  /** Reserved paths that help now. */
  joined: readonly PathId[];
}

/**
 * Preferred paths carry the stream. The others join, cheapest first, at the last moment at which they can still
 * save a deadline, and never over their budget. MP-DASH has the same aim (Han et al., CoNEXT 2016; summarized by
 * Bikas and Sayit, section II-A-1), here with deadlines of requests and on the receiver. The rule is
 * this project's.
 */
export const meteredPolicy = definePolicy<MeteredMemory, MeteredConfig>({
  name: 'metered',
  summary: 'Metered networks only to save a deadline',
  defaults: {
    budgetBytes: null,
    drainBytes: 100_000,
    reserveMs: 500,
    leadMs: 1000,
    leaveMs: 500,
    leaveBufferMs: 5000,
    unknownLeadMs: 1000,
    slowBps: 250_000,
  },
  limits: {
    budgetBytes: [0, 1e15],
    drainBytes: [0, 1e9],
    reserveMs: [0, 60_000],
    leadMs: [0, 60_000],
    leaveMs: [0, 60_000],
    leaveBufferMs: [0, 60_000],
    unknownLeadMs: [0, 60_000],
    slowBps: [0, 1e12],
  },
  start: () => ({ joined: [] }),
  rule: (memory, seen) => {
    const { config, live, paths } = seen;
    const ranks = rankPaths(paths);
    const spent = spentPaths(ranks, config);
    const closed = spent.map(({ pathId }) => pathId);
    const within = (path: ObservedPath): boolean => live.includes(path) && !spent.includes(path);
    const first = ranks.first.filter(within);
    const rest = ranks.heldBack.filter(within);
    const base = first.length > 0 ? first : rest.slice(0, 1);
    const reserve = first.length > 0 ? rest : rest.slice(1);
    if (base.length === 0) {
      const cheapest = [...ranks.first, ...ranks.heldBack]
        .filter((path) => live.includes(path))
        .slice(0, 1);
      return {
        memory: { joined: [] },
        active: cheapest.map(({ pathId }) => pathId),
        closed,
        reason: `${nameList(cheapest)} goes on over its budget`,
      };
    }
    // A helper that reconnects stays a helper: its new subflow starts in use.
    const away = ranks.heldBack.filter(
      (path) => !live.includes(path) && !spent.includes(path) && helped(path, memory),
    );
    const help = helpers(base, reserve, away, memory, seen);
    const left = leftOut(base, help.paths, seen);
    return {
      memory: { joined: help.paths.map(({ pathId }) => pathId) },
      active: [...base.filter((path) => !left.includes(path)), ...help.paths].map(
        ({ pathId }) => pathId,
      ),
      closed,
      reason: help.reason + off(left, 'slow') + off(spent, 'its budget is spent'),
    };
  },
});

/** Preferred ones first. If the viewer named none, the unmetered. If all are metered, the cheapest. */
function rankPaths(paths: readonly ObservedPath[]): {
  first: ObservedPath[];
  heldBack: ObservedPath[];
} {
  const byCost = [...paths].sort((a, b) => cost(a) - cost(b) || byRtt(a, b));
  const named = byCost.filter(({ preferred }) => preferred);
  const free = byCost.filter(({ metered }) => !metered);
  const first = named.length > 0 ? named : free.length > 0 ? free : byCost.slice(0, 1);
  return { first, heldBack: byCost.filter((path) => !first.includes(path)) };
}

/** A metered path without a price costs more than any with one. */
function cost(path: ObservedPath): number {
  return path.metered ? (path.costPerGb ?? Number.MAX_VALUE) : -1;
}

function spentPaths(
  { first, heldBack }: { first: readonly ObservedPath[]; heldBack: readonly ObservedPath[] },
  config: MeteredConfig,
): ObservedPath[] {
  const usedBytes = sumOf(heldBack, ({ totalBytes }) => totalBytes);
  const allSpent =
    config.budgetBytes !== null && usedBytes + config.drainBytes >= config.budgetBytes;
  const all = [...first, ...heldBack];
  // A network may have a path to each address of the server.
  const ownSpent = ({ budgetBytes, pathId }: ObservedPath): boolean => {
    const own = all.filter((one) => networkOf(one.pathId) === networkOf(pathId));
    const ownBytes = sumOf(own, ({ totalBytes }) => totalBytes);
    return budgetBytes !== undefined && ownBytes + config.drainBytes >= budgetBytes;
  };
  return [...first.filter(ownSpent), ...heldBack.filter((path) => allSpent || ownSpent(path))];
}

function helpers(
  base: readonly ObservedPath[],
  reserve: readonly ObservedPath[],
  away: readonly ObservedPath[],
  memory: MeteredMemory,
  { observation, config }: PathRuleInput<MeteredConfig>,
): { paths: readonly ObservedPath[]; reason: string } {
  const queue = dues(observation, config.reserveMs);
  const alone = spareAlone(queue, base, config);
  const names = nameList(base);
  const joined = reserve.filter((path) => helped(path, memory));
  const helping = [...joined, ...away];
  // Before the first frame there is no buffer.
  const bufferMs = observation.bufferMs ?? 0;
  const isShort = helping.length > 0 && bufferMs < config.leaveBufferMs;
  if (isShort && (alone >= config.leaveMs || joined.length === 0)) {
    return {
      paths: helping,
      reason: `${nameList(helping)} stays: ${formatDuration(bufferMs)} buffered`,
    };
  }
  if (alone >= (joined.length > 0 ? config.leaveMs : 0)) {
    return { paths: [], reason: `${names} is in time` };
  }
  if (reserve.length === 0) return { paths: [], reason: `${names} is late, nothing can help` };
  const team = cheapestTeam(queue, base, reserve, joined);
  const spare = spareMs(queue, safeRate([...base, ...team])) - config.leadMs;
  const isEarly = joined.length === 0 && spare > 0;
  const when = isEarly ? ` in ${formatDuration(spare)}` : '';
  return {
    paths: isEarly ? [] : team,
    reason: `${names} alone is late: ${nameList(team)} helps${when}`,
  };
}

/**
 * Preferred paths that become backups while a costly one carries. Linux's scheduler gives a path 64 kB at once, and the
 * stream waits until a slow one has delivered them.
 */
function leftOut(
  base: readonly ObservedPath[],
  help: readonly ObservedPath[],
  { live, observation, config }: PathRuleInput<MeteredConfig>,
): readonly ObservedPath[] {
  return !observation.independent && help.some((path) => live.includes(path))
    ? base.filter(({ rateBps, confidence }) => confidence > 0 && rateBps < config.slowBps)
    : [];
}

const off = (paths: readonly ObservedPath[], why: string): string =>
  paths.length > 0 ? `; ${nameList(paths)} off: ${why}` : '';

function helped({ pathId }: ObservedPath, { joined }: MeteredMemory): boolean {
  return joined.includes(pathId);
}

function spareAlone(
  queue: readonly Due[],
  base: readonly ObservedPath[],
  config: MeteredConfig,
): number {
  const isUnknown = base.every(({ confidence, rateBps }) => confidence <= 0 && rateBps <= 0);
  if (!isUnknown) return spareMs(queue, safeRate(base));
  // Nothing is measured yet: the preferred paths count as sufficient until time runs out.
  return (
    queue.reduce((least, { leftMs }) => Math.min(least, leftMs), Infinity) - config.unknownLeadMs
  );
}

/** Present helpers first, then the cheapest, until the deadlines are met or no path is left. */
function cheapestTeam(
  queue: readonly Due[],
  base: readonly ObservedPath[],
  reserve: readonly ObservedPath[],
  joined: readonly ObservedPath[],
): ObservedPath[] {
  const order = [...joined, ...reserve.filter((path) => !joined.includes(path))];
  const team: ObservedPath[] = [];
  for (const path of order) {
    const enough = spareMs(queue, safeRate([...base, ...team])) >= 0;
    if (enough && team.length >= Math.max(1, joined.length)) break;
    team.push(path);
  }
  return team;
}

function safeRate(paths: readonly ObservedPath[]): number {
  return sumOf(paths, ({ safeRateBps }) => safeRateBps);
}

function sumOf(paths: readonly ObservedPath[], value: (path: ObservedPath) => number): number {
  return paths.reduce((sum, path) => sum + value(path), 0);
}
