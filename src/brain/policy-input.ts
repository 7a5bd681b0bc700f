import { networkOf, type PathId, type NetworkWish } from '../core';
import { minBufferMs } from '../abr';
import { isDormant, observedRate, type PathTrack } from '../estimate';
import { healthOf } from './path-health';
import type { ObservedPath, OutstandingRequest, PathObservation } from '../policy';
import type { BrainState } from './state';
import type { BrainObservation } from './types';

/**
 * A viewer without a picture waits this long before the data counts as late. A policy takes up to 1.5 s off, its lead.
 * Chosen: on a quiet machine most first frames come within 1.4 s (docs/experiments/decisions.md).
 */
const PATIENCE_MS = 3500;
/** A paused player has more than this buffered; one that waits for media has less. */
const EMPTY_BUFFER_MS = 500;

/**
 * Begin of the viewer's wait for a picture: at the start, after a seek or in a stall. It begins with a request, and ends
 * when the picture moves or media are there.
 */
export function waitingSince(
  since: number | undefined,
  { playing, requests, bufferMs, monotonicMs }: BrainObservation,
): number | undefined {
  if (playing || (minBufferMs(bufferMs) ?? 0) >= EMPTY_BUFFER_MS) return undefined;
  return since ?? (requests.length > 0 ? monotonicMs : undefined);
}

/**
 * Input of the policy: the estimator's paths with the viewer's preferences, and the bytes to load by their
 * deadlines.
 */
export function policyInput(state: BrainState, observation: BrainObservation): PathObservation {
  const { estimator, config } = state;
  const { monotonicMs } = observation;
  const fresh = state.shownMs === undefined || (estimator.ledger.lastMs ?? -1) > state.shownMs;
  const paths = [...estimator.paths]
    .map(([pathId, track]): ObservedPath => {
      const wish = preferenceOf(config.networks ?? [], pathId, track);
      return {
        pathId,
        interfaceName: track.interfaceName,
        localAddress: track.addresses[0],
        state: track.state,
        ...(isDormant(track)
          ? { rateBps: 0, safeRateBps: 0, confidence: 0 }
          : observedRate(track, monotonicMs)),
        silent: healthOf(state.health, pathId) === 'suspect',
        throughputBps: fresh ? track.throughputBps : undefined,
        rcvRttMs: track.rcvRttMs,
        minRttMs: track.minRttMs,
        metered: wish?.metered ?? false,
        costPerGb: wish?.costPerGb,
        budgetBytes: wish?.budgetBytes,
        totalBytes: track.totalBytes,
        preferred: wish?.preferred ?? false,
      };
    })
    .sort((a, b) => (a.pathId < b.pathId ? -1 : 1));
  return {
    monotonicMs,
    paths,
    requests: outstanding(observation, state.waitingSinceMs),
    bufferMs: observation.playing ? minBufferMs(observation.bufferMs) : undefined,
    goodputBps: fresh ? estimator.goodputBps : undefined,
    outOfOrderBytes: estimator.outOfOrderBytes,
    ...needs(observation),
    bufferTargetMs: observation.bufferTargetMs,
    independent: estimator.independent,
  };
}

/** The rate that the present rungs need, and that of the highest ones. */
function needs(
  observation: BrainObservation,
): Pick<PathObservation, 'needBps' | 'topNeedBps' | 'segmentBytes'> {
  let needBps = 0;
  let topNeedBps = 0;
  let segmentBytes: number | undefined;
  for (const { mediaType, rungs } of observation.ladders) {
    const current = Math.max(0, observation.currentRung[mediaType] ?? -1);
    const rung = rungs[current];
    needBps += rung?.bitrateBps ?? 0;
    topNeedBps += rungs.at(-1)?.bitrateBps ?? 0;
    const durationMs = observation.segmentDurationMs[mediaType] ?? 0;
    const bytes =
      observation.nextSegments?.[mediaType]?.[0]?.[current] ??
      ((rung?.bitrateBps ?? 0) * durationMs) / 8000;
    if (bytes > 0) segmentBytes = Math.max(segmentBytes ?? 0, bytes);
  }
  return observation.ladders.length > 0 ? { needBps, topNeedBps, segmentBytes } : {};
}

/** Returns true if the viewer marked a path as costly. */
export function isMetered({ estimator, config }: BrainState, pathId: PathId): boolean {
  const track = estimator.paths.get(pathId);
  return (
    track !== undefined && preferenceOf(config.networks ?? [], pathId, track)?.metered === true
  );
}

function preferenceOf(
  networks: readonly NetworkWish[],
  pathId: PathId,
  track: PathTrack,
): NetworkWish | undefined {
  return networks.find(
    ({ network }) =>
      network === pathId ||
      network === track.interfaceName ||
      network === networkOf(pathId) ||
      track.addresses.includes(network),
  );
}

function outstanding(
  observation: BrainObservation,
  waitingSinceMs: number | undefined,
): OutstandingRequest[] {
  const { monotonicMs, playing, requests } = observation;
  const lateMs = waitingSinceMs === undefined ? undefined : waitingSinceMs + PATIENCE_MS;
  return requests.map(({ mediaType, bytesTotal, bytesLoaded }) => {
    const bufferMs = mediaType ? observation.bufferMs[mediaType] : undefined;
    const dryMs = bufferMs === undefined || !playing ? undefined : monotonicMs + bufferMs;
    return {
      bytesLeft: bytesTotal === undefined ? undefined : Math.max(0, bytesTotal - bytesLoaded),
      deadlineMs: dryMs ?? lateMs,
    };
  });
}
