import { clamp, ewmaMean, type LedgerInterval, type PathId, type Span } from '../core';
import { estimatorLimits } from './config';
import { unknownRate } from './path-rate';
import type { PathEstimatorState, PathTrack, SetWindow } from './state';
import { pathSetKey, usablePaths } from './usable';

/** In-order share of the sum of rates that this set of paths was seen to reach; 1 until learned. */
export function setEfficiency(state: PathEstimatorState, ids: readonly PathId[]): number {
  return state.efficiency.get(pathSetKey(ids)) ?? 1;
}

/**
 * Learns what a path set really delivers: in-order bytes over busy time, waits at segment ends included,
 * over the sum of the rates its paths show while they have data. A single path teaches nothing.
 */
export function learnEfficiency(
  state: PathEstimatorState,
  interval: LedgerInterval,
  cover: { busy: Span | undefined; covered: boolean },
): PathEstimatorState {
  const ids = usablePaths(state.paths, state.config);
  const key = pathSetKey(ids);
  const open = state.setWindow?.key === key ? state.setWindow : undefined;
  if (!interval.continuous || ids.length < 2) return { ...state, setWindow: undefined };
  if (!cover.covered) {
    // The time before a request and after it is nobody's; the window goes on with the next segment.
    const edgeBytes = open && cover.busy ? interval.inOrderBytes : 0;
    const kept = open ? { ...open, inOrderBytes: open.inOrderBytes + edgeBytes } : undefined;
    const edgeMs =
      open && cover.busy
        ? Math.min(cover.busy.endMs, interval.endMs) -
          Math.max(cover.busy.startMs, interval.startMs)
        : 0;
    return { ...state, setWindow: kept ? { ...kept, busyMs: kept.busyMs + edgeMs } : undefined };
  }
  const window: SetWindow = open ?? {
    key,
    startMs: interval.startMs,
    inOrderBytes: 0,
    busyMs: 0,
    moved: [],
  };
  const moved = ids.filter(
    (id) => window.moved.includes(id) || (interval.paths.get(id)?.bytes ?? 0) > 0,
  );
  const grown: SetWindow = {
    ...window,
    moved,
    inOrderBytes: window.inOrderBytes + interval.inOrderBytes,
    busyMs: window.busyMs + interval.endMs - interval.startMs,
  };
  // Judge only when nothing is held any more: a burst of released bytes belongs to the time it was held.
  const settled = interval.heldBytes < state.config.heldNoiseBytes;
  const due = grown.busyMs >= state.config.efficiencyWindowMs;
  if (!due || (!settled && grown.busyMs < 3 * state.config.efficiencyWindowMs)) {
    return { ...state, setWindow: grown };
  }
  return judge(state, ids, grown);
}

function judge(
  state: PathEstimatorState,
  ids: readonly PathId[],
  window: SetWindow,
): PathEstimatorState {
  const rates = ids.map((id) => countedBps(state.paths.get(id)));
  const paths = new Map<PathId, PathTrack>();
  for (const [id, track] of state.paths) {
    paths.set(id, { ...track, rate: { ...track.rate, counted: unknownRate.counted } });
  }
  const next: PathEstimatorState = { ...state, paths, setWindow: undefined };
  const sumBps = rates.reduce<number>((sum, rate) => sum + (rate ?? 0), 0);
  if (window.moved.length < ids.length || rates.includes(undefined) || sumBps <= 0) return next;
  const share = clamp((window.inOrderBytes * 8000) / window.busyMs / sumBps, 0.1, 1);
  const keep = 0.5 ** (window.busyMs / state.config.efficiencyHalfLifeMs);
  const before = setEfficiency(state, ids);
  const efficiency = new Map(state.efficiency);
  efficiency.delete(window.key);
  efficiency.set(window.key, before * keep + share * (1 - keep));
  for (const key of efficiency.keys()) {
    if (efficiency.size <= estimatorLimits.pathSets) break;
    efficiency.delete(key);
  }
  return { ...next, efficiency };
}

/** What the path showed in this window, or its slow mean where it had too little to do. */
function countedBps(track: PathTrack | undefined): number | undefined {
  if (!track) return undefined;
  const { counted, slow } = track.rate;
  return counted.ms >= 200 ? (counted.bytes * 8000) / counted.ms : ewmaMean(slow);
}
