import type { PathId } from '../core';
import {
  isDormant,
  isSilent,
  learnedSets,
  observedRate,
  type ObservedPath,
  type OutstandingRequest,
  type PathObservation,
  type PathTrack,
} from '../paths';
import type { BrainState } from './state';
import type { BrainObservation, NetworkPreference } from './types';

/** What the policy is shown: the estimator's paths with the viewer's wishes, and what has to be loaded until when. */
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
        ...(isDormant(estimator, pathId)
          ? { rateBps: 0, safeRateBps: 0, confidence: 0 }
          : observedRate(track, estimator, monotonicMs)),
        silent: isSilent(estimator, pathId),
        throughputBps: fresh ? track.throughputBps : undefined,
        rcvRttMs: track.rcvRttMs,
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
    requests: outstanding(observation),
    bufferMs: observation.playing ? leastBufferMs(observation) : undefined,
    goodputBps: fresh ? estimator.goodputBps : undefined,
    heldBytes: estimator.heldBytes,
    learned: learnedSets(estimator, monotonicMs),
    ...needs(observation),
    bufferTargetMs: observation.bufferTargetMs,
  };
}

/** What the rungs fetched now need, and the highest ones. */
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

/** Of the media type that runs dry first; undefined without any. */
export function leastBufferMs({ bufferMs }: BrainObservation): number | undefined {
  const levels = [bufferMs.video, bufferMs.audio].flatMap((level) => level ?? []);
  return levels.length > 0 ? Math.min(...levels) : undefined;
}

/** Whether the viewer said that a path costs. */
export function isMetered({ estimator, config }: BrainState, pathId: PathId): boolean {
  const track = estimator.paths.get(pathId);
  return (
    track !== undefined && preferenceOf(config.networks ?? [], pathId, track)?.metered === true
  );
}

function preferenceOf(
  networks: readonly NetworkPreference[],
  pathId: PathId,
  track: PathTrack,
): NetworkPreference | undefined {
  return networks.find(
    ({ network }) =>
      network === pathId ||
      network === track.interfaceName ||
      network === pathId.split('>')[0] ||
      track.addresses.includes(network),
  );
}

function outstanding(observation: BrainObservation): OutstandingRequest[] {
  return observation.requests.map((request) => {
    const bufferMs = request.mediaType ? observation.bufferMs[request.mediaType] : undefined;
    return {
      bytesLeft:
        request.bytesTotal === undefined
          ? undefined
          : Math.max(0, request.bytesTotal - request.bytesLoaded),
      deadlineMs:
        bufferMs === undefined || !observation.playing
          ? undefined
          : observation.monotonicMs + bufferMs,
    };
  });
}
