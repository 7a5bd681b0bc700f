import { coveredTimes, overlapBytes, subtractRanges, totalBytes } from '../byte-ranges';
import { defineScheduler } from '../define-scheduler';
import { restOf, type FlightTrack } from '../flight-track';
import { silenceLimitMs } from '../network-track';
import { isStuck, type Seen, type SeenObject } from '../seen';
import { ownDefaults, ownLimits, type CommonFinishConfig } from './config';
import { nextPiece } from './next-piece';
import { assign, beginPlan, cancel, finishOf, isTrusted, type Plan, type Worker } from '../plan';
import { probeFaded } from './probe';
import { stealLate } from './steal';
import { takeOver } from './take-over';

/** When each faded network may be probed next. */
interface Memory {
  probes: readonly { networkId: string; atMs: number }[];
}

/** More assignments in one decision are a fault of the plan. */
const MOST_ASSIGNMENTS = 256;

/**
 * All networks complete an object together. Missing bytes are taken in the order in which they are needed, in chunks
 * that each take their network the same time. Near an object's end a network takes no more than it brings until all would be
 * done; for what it cannot add there it goes on with the next object. A late rest is shared with a faster network.
 * A silent network is left, and asked for one small chunk a second.
 */
export const commonFinish = defineScheduler<Memory, CommonFinishConfig>({
  name: 'common-finish',
  summary: 'All networks complete each segment together',
  defaults: ownDefaults,
  limits: ownLimits,
  start: () => ({ probes: [] }),
  rule: (memory, seen) => {
    const plan = beginPlan(
      withProbeTimes(seen, memory),
      (flight, network) => isTrusted(network) && !isStuck(flight, network, seen),
    );
    cancelUseless(plan);
    takeOver(plan);
    shareOut(plan);
    stealLate(plan);
    const probed = probeFaded(plan);
    const kept = memory.probes.filter(
      ({ networkId }) => !probed.some((one) => one.networkId === networkId),
    );
    return {
      memory: { probes: [...kept, ...probed].filter(({ atMs }) => atMs > seen.nowMs) },
      wishes: plan.wishes,
      wakeInMs: wakeIn(plan),
      wantsMore: plan.workers.some((one) => isTrusted(one) && one.hasRoom && !one.costly),
      reason: describe(plan),
    };
  },
});

function withProbeTimes(
  seen: Seen<CommonFinishConfig>,
  { probes }: Memory,
): Seen<CommonFinishConfig> {
  const networks = seen.networks.map((network) => {
    const atMs = probes.find(({ networkId }) => networkId === network.networkId)?.atMs ?? 0;
    const probeMs = Math.max(network.track.probeMs, atMs);
    return { ...network, track: { ...network.track, probeMs } };
  });
  return { ...seen, networks };
}

function shareOut(plan: Plan<CommonFinishConfig>): void {
  for (let count = 0; count < MOST_ASSIGNMENTS; count += 1) {
    const byFinish = plan.workers
      .filter((worker) => isTrusted(worker) && worker.hasRoom)
      .sort((a, b) => chunkFinishMs(a) - chunkFinishMs(b));
    const isDone = !byFinish.some((worker) => {
      const piece = nextPiece(plan, worker);
      if (piece !== undefined) assign(plan, worker, piece);
      return piece !== undefined;
    });
    if (isDone) return;
  }
}

function chunkFinishMs({ readyMs, chunkBytes, rateBps }: Worker): number {
  return readyMs + (chunkBytes * 8000) / rateBps;
}

function cancelUseless(plan: Plan<CommonFinishConfig>): void {
  const { objects } = plan.seen;
  for (const worker of plan.workers) {
    for (const flight of worker.flights) {
      const object = objects.find(({ objectId }) => objectId === flight.objectId);
      if (object === undefined) continue;
      if (isHeld(flight, object)) cancel(plan, flight, 'all of it is here');
      else if (isTrusted(worker) && isStuck(flight, worker, plan.seen)) {
        cancel(plan, flight, `${worker.networkId} carries on, this connection does not`);
      }
    }
  }
  for (const object of objects) cancelLosers(plan, object);
}

function isHeld(flight: FlightTrack, { totalBytes: total, held }: SeenObject): boolean {
  const rest = restOf(flight, total);
  return rest.end > rest.start && subtractRanges(rest, held).length === 0;
}

/** Of two requests for the same bytes the one that would be later goes, once the other has begun to deliver. */
function cancelLosers(plan: Plan<CommonFinishConfig>, object: SeenObject): void {
  const { totalBytes: total, held } = object;
  for (const loser of object.flights) {
    const rest = restOf(loser, total);
    const winners = plan.counted.filter(
      (one) => one !== loser && one.objectId === loser.objectId && one.receivedBytes > 0,
    );
    const brought = coveredTimes([...held, ...winners.map((one) => restOf(one, total))], 1);
    const overlapping = winners.filter((one) => overlapBytes(restOf(one, total), rest) > 0);
    if (overlapping.length === 0 || totalBytes(subtractRanges(rest, brought)) > 0) continue;
    const latestMs = Math.max(...overlapping.map((one) => finishOf(plan, one)));
    if (latestMs < finishOf(plan, loser)) cancel(plan, loser, 'another network brings it earlier');
  }
}

/** A silent network is noticed within this time. Chosen: half of the default `silentMs`. */
const LONGEST_SLEEP_MS = 100;

/** Until a network needs its next request, or its silence means something. */
function wakeIn({ workers, seen }: Plan<CommonFinishConfig>): number {
  const { config, nowMs } = seen;
  const { leadMs, leadRoundTrips } = config;
  const used = workers.filter((worker) => isTrusted(worker) && worker.requests > 0);
  const times = used.flatMap(({ backlogBytes, rateBps, rttMs, track }) => {
    const roomMs = (backlogBytes * 8000) / rateBps - leadRoundTrips * rttMs - leadMs;
    const silentMs = silenceLimitMs(track, { rttMs, config }) - (nowMs - track.trickle.sinceMs);
    return [roomMs, silentMs + 1];
  });
  return Math.min(LONGEST_SLEEP_MS, ...times.filter((ms) => ms > 0));
}

function describe({ wishes, workers }: Plan<CommonFinishConfig>): string {
  const faded = workers.filter((worker) => !isTrusted(worker)).map(({ networkId }) => networkId);
  const lost = faded.length > 0 ? `${faded.join(', ')} silent; ` : '';
  const fetched = wishes.filter(({ kind }) => kind === 'fetch').length;
  const cancelled = wishes.length - fetched;
  return `${lost}${String(fetched)} requested, ${String(cancelled)} cancelled`;
}
