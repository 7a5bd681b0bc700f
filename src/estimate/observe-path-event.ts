import type { PathEvent, PathId } from '../core';
import { dropRun } from './path-rate';
import { returnedPath } from './returned-path';
import type { PathEstimatorState, PathTrack } from './state';

/**
 * Applies a path event at once, without waiting for samples. Events without a known path change nothing. A
 * lost path leaves the forecast immediately. A returned one counts with its old rate at low confidence once a
 * subflow runs on it.
 */
export function observePathEvent(state: PathEstimatorState, event: PathEvent): PathEstimatorState {
  if (!Number.isFinite(event.monotonicMs)) return state;
  const paths = new Map(state.paths);
  let changed = false;
  for (const [id, track] of state.paths) {
    if (!concerns(event, id, track)) continue;
    const next = applyEvent(state, track, event);
    if (next !== track) {
      paths.set(id, next);
      changed = true;
    }
  }
  return changed ? { ...state, paths } : state;
}

function concerns(event: PathEvent, id: PathId, track: PathTrack): boolean {
  if (event.kind === 'address-removed' && event.address !== undefined) {
    return track.addresses.length > 0 && track.addresses.every((own) => own === event.address);
  }
  if (event.pathId !== undefined) return event.pathId === id;
  if (event.interfaceName !== undefined) {
    return event.interfaceName === track.interfaceName || event.interfaceName === id;
  }
  return event.address !== undefined && track.addresses.includes(event.address);
}

function applyEvent(state: PathEstimatorState, track: PathTrack, event: PathEvent): PathTrack {
  switch (event.kind) {
    case 'interface-down':
    case 'address-removed':
      return lose(track, event.monotonicMs, true);
    case 'subflow-closed':
      // The next sample tells whether another connection still uses the network.
      if (event.connectionEnded === true) return track;
      return track.subflows > 1
        ? { ...track, subflows: track.subflows - 1 }
        : lose({ ...track, subflows: 0 }, event.monotonicMs, track.withdrawn);
    case 'interface-up':
    case 'address-added':
      // The path is up, but has not joined: the next sample with a live subflow restores it.
      return track.withdrawn ? { ...track, withdrawn: false } : track;
    case 'subflow-established': {
      const live = event.backup === true ? 'backup' : 'active';
      if (track.state !== 'lost') {
        return track.state === 'connecting' ? { ...track, state: live, liveState: live } : track;
      }
      const returned = returnedPath(track, live, event.monotonicMs);
      return { ...returned, subflows: track.subflows + 1 };
    }
    case 'subflow-priority': {
      if (event.backup === undefined || track.state === 'lost') return track;
      // With one connection this is the path. With several the next sample corrects it within 100 ms.
      const live = event.backup ? 'backup' : 'active';
      return { ...track, state: live, liveState: live, rate: dropRun(track.rate), unusedMs: 0 };
    }
    case 'route-changed':
      return track;
  }
}

function lose(track: PathTrack, atMs: number, withdrawn: boolean): PathTrack {
  return {
    ...track,
    state: 'lost',
    withdrawn,
    lostAtMs: track.state === 'lost' ? Math.max(track.lostAtMs ?? atMs, atMs) : atMs,
    rate: dropRun(track.rate),
  };
}
