import type { ChunkConfig } from './config';
import type { FlightStep } from './flight-track';
import { hasOvertaken, rttOf, type NetworkTrack } from './network-track';
import type { ObservedNetwork, ObservedObject } from './types';

/** An object that was asked for and has not a byte yet. */
export interface WaitingObject {
  objectId: string;
  /** Networks over which it was asked for, with the time of the first request. */
  asked: readonly { networkId: string; sinceMs: number }[];
  /** Its server holds it back: a network over which it was asked for is well. */
  isHeld: boolean;
}

/** Adds the requests of a step. An object with a byte waits no longer. */
export function followWaiting(
  before: readonly WaitingObject[],
  steps: readonly FlightStep[],
  objects: readonly ObservedObject[],
): WaitingObject[] {
  return objects.flatMap(({ objectId, received }) => {
    const own = steps.filter(({ track }) => track.objectId === objectId);
    const isAnswered = received.length > 0 || own.some(({ track }) => track.receivedBytes > 0);
    if (isAnswered) return [];
    const known = before.find((one) => one.objectId === objectId);
    let asked = known?.asked ?? [];
    for (const { track } of own) {
      if (asked.some(({ networkId }) => networkId === track.networkId)) continue;
      asked = [...asked, { networkId: track.networkId, sinceMs: track.sentMs }];
    }
    return asked.length === 0 ? [] : [{ objectId, asked, isHeld: known?.isHeld === true }];
  });
}

/** A network before and after a step. */
export interface NetworkStep {
  observed: ObservedNetwork;
  before: NetworkTrack;
  after: NetworkTrack;
}

/**
 * Finds those that their servers hold back. Either a healthy network has delivered other bytes long after the request, or it
 * had faded without any answer under way, and answers its first probe: then it was never silent.
 */
export function findHeld(
  waiting: readonly WaitingObject[],
  networks: readonly NetworkStep[],
  nowMs: number,
  config: ChunkConfig,
): WaitingObject[] {
  const isWell = (networkId: string, sinceMs: number): boolean => {
    const network = networks.find(({ after }) => after.networkId === networkId);
    if (network?.after.health !== 'healthy') return false;
    const { observed, before, after } = network;
    if (before.health === 'faded') {
      const { atMs, unanswered } = before.faded;
      return unanswered && sinceMs < atMs && nowMs - atMs < 2 * config.probeMs;
    }
    return hasOvertaken(after, sinceMs, { rttMs: rttOf(after, observed, config), config });
  };
  return waiting.map((object) => ({
    ...object,
    isHeld:
      object.isHeld || object.asked.some(({ networkId, sinceMs }) => isWell(networkId, sinceMs)),
  }));
}

/** Marks the requests for objects that their servers hold back. */
export function markHeld(
  steps: readonly FlightStep[],
  waiting: readonly WaitingObject[],
): FlightStep[] {
  const held = new Set(waiting.flatMap(({ isHeld, objectId }) => (isHeld ? objectId : [])));
  return steps.map((step) => {
    const { held: before, ...track } = step.track;
    if (held.has(track.objectId)) return { ...step, track: { ...track, held: true } };
    return before === undefined ? step : { ...step, track };
  });
}
