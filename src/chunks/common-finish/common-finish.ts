import { coveredTimes, subtractRanges, totalBytes } from '../byte-ranges';
import { defineScheduler } from '../define-scheduler';
import { overlaps, restOf, type FlightTrack } from '../flight-track';
import { silenceLimitMs } from '../network-track';
import { isDue, isStuck, type ChunkRuleInput, type SeenObject } from '../seen';
import { ownDefaults, ownLimits, type CommonFinishConfig } from './config';
import { repeatGrown } from './grown';
import { nextPiece } from './next-piece';
import { assign, beginPlan, cancel, finishOf, isUsable, timeFor, type ChunkPlan } from '../plan';
import { probeFaded } from './probe';
import { isMeasurement, probeWhole, type WholeProbe } from './probe-whole';
import { stealLate } from './steal';
import { takeOver } from './take-over';

/** Time of the next probe of each faded network. */
interface Memory {
  probes: readonly { networkId: string; atMs: number }[];
  wholeProbes: readonly WholeProbe[];
}

/** More assignments in one decision are a fault of the plan. */
const MAX_ASSIGNMENTS = 256;

/**
 * All networks complete an object together. Missing bytes are assigned in the order in which they are needed, in
 * chunks that take each network the same time. Near an object's end each network gets only the bytes that it can
 * deliver before all of them finish; then it continues with the next object. The rest of a late request is shared
 * with a faster network. A silent network gets no more requests, except one small chunk a second.
 */
export const commonFinish = defineScheduler<Memory, CommonFinishConfig>({
  name: 'common-finish',
  summary: 'All networks complete each segment together',
  defaults: ownDefaults,
  limits: ownLimits,
  start: () => ({ probes: [], wholeProbes: [] }),
  rule: (memory, seen) => {
    const plan = beginPlan(
      withProbeTimes(seen, memory),
      (flight, network) =>
        isUsable(network) && !isStuck(flight, network, seen) && !isRepeated(flight, seen),
    );
    cancelUseless(plan);
    takeOver(plan);
    // Playback waits for these: later objects would take the free requests of a network with a long round trip.
    stealLate(
      plan,
      seen.objects.filter((object) => isDue(object, seen.nowMs)),
    );
    shareOut(plan);
    stealLate(plan);
    repeatGrown(plan);
    const probed = probeFaded(plan);
    const wholeProbes = probeWhole(plan, memory.wholeProbes);
    const kept = memory.probes.filter(
      ({ networkId }) => !probed.some((one) => one.networkId === networkId),
    );
    return {
      memory: {
        probes: [...kept, ...probed].filter(({ atMs }) => atMs > seen.nowMs),
        wholeProbes,
      },
      wishes: plan.wishes,
      wakeInMs: wakeIn(plan),
      reason: describe(plan),
    };
  },
});

/**
 * True for a probe whose bytes another network fetches too. It does so where playback waits for them, because the probed
 * network may be slow. Lab, `two-opposite`: 16 kB over 0.6 Mbit/s held the first frame back by 0.5 s.
 */
function isRepeated(
  flight: FlightTrack,
  { nowMs, objects }: ChunkRuleInput<CommonFinishConfig>,
): boolean {
  const object = objects.find(({ objectId }) => objectId === flight.objectId);
  if (object === undefined || flight.purpose !== 'probe') return false;
  return isDue(object, nowMs) || isMeasurement(flight, object);
}

function withProbeTimes(
  seen: ChunkRuleInput<CommonFinishConfig>,
  { probes }: Memory,
): ChunkRuleInput<CommonFinishConfig> {
  const networks = seen.networks.map((network) => {
    const atMs = probes.find(({ networkId }) => networkId === network.networkId)?.atMs ?? 0;
    const probeMs = Math.max(network.track.probeMs, atMs);
    return { ...network, track: { ...network.track, probeMs } };
  });
  return { ...seen, networks };
}

function shareOut(plan: ChunkPlan<CommonFinishConfig>): void {
  for (let count = 0; count < MAX_ASSIGNMENTS; count += 1) {
    const byFinish = plan.workers
      .filter((worker) => isUsable(worker) && worker.hasRoom)
      .sort((a, b) => timeFor(a, a.chunkBytes) - timeFor(b, b.chunkBytes));
    const isDone = !byFinish.some((worker) => {
      const piece = nextPiece(plan, worker);
      if (piece !== undefined) assign(plan, worker, piece);
      return piece !== undefined;
    });
    if (isDone) return;
  }
}

function cancelUseless(plan: ChunkPlan<CommonFinishConfig>): void {
  const { objects } = plan.seen;
  for (const worker of plan.workers) {
    for (const flight of worker.flights) {
      const object = objects.find(({ objectId }) => objectId === flight.objectId);
      if (object === undefined) continue;
      if (isMeasurement(flight, object)) continue;
      if (isReceived(flight, object)) cancel(plan, flight, 'all of it is here');
      else if (isUsable(worker) && isStuck(flight, worker, plan.seen)) {
        cancel(plan, flight, `${worker.networkId} carries on, this connection does not`);
      }
    }
  }
  for (const object of objects) cancelLosers(plan, object);
  if (objects.some(({ flights }) => flights.length === 0)) freeConnections(plan);
}

/** Second requests for objects that their servers hold back give way to an object that nobody has asked for. */
function freeConnections(plan: ChunkPlan<CommonFinishConfig>): void {
  // Requests for other bytes of the object are no second ones.
  const isOpen = ({ chunkId }: FlightTrack): boolean => !plan.cancelled.has(chunkId);
  const isSecond = (flight: FlightTrack): boolean => {
    const object = plan.seen.objects.find((one) => one.objectId === flight.objectId);
    return (
      object?.flights.some(
        (one) => one !== flight && isOpen(one) && overlaps(one, flight, object),
      ) === true
    );
  };
  for (const worker of plan.workers) {
    if (worker.freeRequests > 0) continue;
    const second = worker.flights.find(
      (flight) => flight.held === true && isOpen(flight) && isSecond(flight),
    );
    if (second !== undefined) cancel(plan, second, 'others need its connection');
  }
}

function isReceived(flight: FlightTrack, { totalBytes: total, received }: SeenObject): boolean {
  const rest = restOf(flight, total);
  return rest.end > rest.start && subtractRanges(rest, received).length === 0;
}

/** Cancels the later one of two requests for the same bytes once the other has delivered its first byte. */
function cancelLosers(plan: ChunkPlan<CommonFinishConfig>, object: SeenObject): void {
  const { totalBytes: total, received } = object;
  // The driver ends the slower of two answers once it has joined them.
  if (total === undefined && object.grownAtMs !== undefined) return;
  for (const loser of object.flights) {
    if (isMeasurement(loser, object)) continue;
    const rest = restOf(loser, total);
    const winners = plan.counted.filter(
      (one) => one !== loser && one.objectId === loser.objectId && one.receivedBytes > 0,
    );
    const brought = coveredTimes([...received, ...winners.map((one) => restOf(one, total))], 1);
    const overlapping = winners.filter((one) => overlaps(one, loser, object));
    if (overlapping.length === 0 || totalBytes(subtractRanges(rest, brought)) > 0) continue;
    const latestMs = Math.max(...overlapping.map((one) => finishOf(plan, one)));
    if (latestMs < finishOf(plan, loser)) cancel(plan, loser, 'another network brings it earlier');
  }
}

/** Longest time until a silent network is noticed. Chosen: half of the default `silentMs`. */
const MAX_SLEEP_MS = 100;

/** Time until a network needs its next request, or until its silence counts. */
function wakeIn({ workers, seen }: ChunkPlan<CommonFinishConfig>): number {
  const { config, nowMs } = seen;
  const { leadMs, leadRoundTrips } = config;
  const used = workers.filter((worker) => isUsable(worker) && worker.requests > 0);
  const times = used.flatMap(({ backlogBytes, rateBps, rttMs, track }) => {
    const roomMs = (backlogBytes * 8000) / rateBps - leadRoundTrips * rttMs - leadMs;
    const silentMs = silenceLimitMs(track, { rttMs, config }) - (nowMs - track.trickle.sinceMs);
    return [roomMs, silentMs + 1];
  });
  return Math.min(MAX_SLEEP_MS, ...times.filter((ms) => ms > 0));
}

function describe({ wishes, workers }: ChunkPlan<CommonFinishConfig>): string {
  const faded = workers.filter((worker) => !isUsable(worker)).map(({ networkId }) => networkId);
  const lost = faded.length > 0 ? `${faded.join(', ')} silent; ` : '';
  const fetched = wishes.filter(({ kind }) => kind === 'fetch').length;
  const cancelled = wishes.length - fetched;
  return `${lost}${fetched} requested, ${cancelled} cancelled`;
}
