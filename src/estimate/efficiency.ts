import {
  clamp,
  emptyEwma,
  ewmaMean,
  keepNewest,
  updateEwma,
  type LedgerInterval,
  type PathId,
  type Span,
} from '../core';
import { estimatorLimits, type PathEstimatorConfig } from './config';
import { unknownRate } from './path-rate';
import type { LearnedSet } from './goodput';
import type { LearnedShare, PathEstimatorState, PathTrack, SetWindow } from './state';
import { pathSetKey, usablePaths } from './usable';

/** Windows after which bytes that stay out of order no longer delay the measurement. */
const MAX_UNSETTLED_WINDOWS = 3;
/** One bad window must not bring the forecast of a set to 0. */
const MIN_EFFICIENCY = 0.1;

/** Fewer bytes are too few for a path's rate in a window. */
const MIN_COUNTED_MS = 200;

const nothingLearned: LearnedShare = { share: emptyEwma, shortfall: emptyEwma, atMs: 0, mix: 0 };

/**
 * In-order share of the sum of rates that this set of paths reaches. 1 until learned. A worse value of the segment
 * in flight counts at once, because a blocked connection delivers nothing.
 */
export function setEfficiency(state: PathEstimatorState, ids: readonly PathId[]): number {
  if (state.independent) return 1;
  const key = pathSetKey(ids);
  return expectedShare(withWindow(state, key, ids), state.config);
}

/** The learned value of a set, or the present window's if that is worse. */
function withWindow(state: PathEstimatorState, key: string, ids: readonly PathId[]): LearnedShare {
  const learned = state.efficiency.get(key) ?? nothingLearned;
  const { setWindow } = state;
  if (setWindow?.key !== key || setWindow.busyMs < state.config.errorWindowMs) return learned;
  // The out-of-order bytes have arrived and will be released.
  const arrived = { ...setWindow, inOrderBytes: setWindow.inOrderBytes + state.outOfOrderBytes };
  const shown = windowShare(state, ids, arrived);
  if (shown === undefined || shown >= expectedShare(learned, state.config)) return learned;
  return addShare(learned, shown, setWindow.busyMs, state, ids);
}

/** All learned values of path sets, for the choice between sets. Sorted by their names. */
export function learnedSets(state: PathEstimatorState, nowMs: number): LearnedSet[] {
  const keys = new Set([
    ...state.efficiency.keys(),
    ...(state.setWindow ? [state.setWindow.key] : []),
  ]);
  return [...keys].sort().flatMap((key) => {
    const pathIds = key.split('\n');
    const { share, shortfall, atMs, mix } = withWindow(state, key, pathIds);
    const value = ewmaMean(share);
    if (value === undefined) return [];
    const ageMs = Math.max(0, nowMs - atMs);
    const margin = marginOf(shortfall, state.config);
    return [{ pathIds, share: value, weight: share.weight, margin, ageMs, mix }];
  });
}

/** This set's shortfall from its expected rate, for the safe rate. 0 until learned. */
export function setMargin(state: PathEstimatorState, ids: readonly PathId[]): number {
  if (state.independent) return 0;
  return marginOf(state.efficiency.get(pathSetKey(ids))?.shortfall ?? emptyEwma, state.config);
}

const marginOf = (shortfall: LearnedShare['shortfall'], config: PathEstimatorConfig): number =>
  Math.min(config.maxMargin, (ewmaMean(shortfall) ?? 0) * shortfall.weight);

function expectedShare({ share }: LearnedShare, config: PathEstimatorConfig): number {
  const prior = config.efficiencyPriorWeight;
  return (prior + share.sum) / (prior + share.weight);
}

function addShare(
  learned: LearnedShare,
  share: number,
  busyMs: number,
  state: PathEstimatorState,
  ids: readonly PathId[],
): LearnedShare {
  const { config } = state;
  const rates = ids.map((id) => countedBps(state.paths.get(id)) ?? 0);
  const sumBps = rates.reduce((sum, rate) => sum + rate, 0);
  const expected = expectedShare(learned, config);
  const short = clamp((expected - share) / expected, 0, 1);
  return {
    share: updateEwma(learned.share, share, busyMs, config.efficiencyHalfLifeMs),
    shortfall: updateEwma(learned.shortfall, short, 1, config.errorHalfLifeWindows),
    atMs: state.ledger.lastMs ?? 0,
    mix: sumBps > 0 ? 1 - Math.max(...rates) / sumBps : 0,
  };
}

/**
 * Learns the real delivery of a path set: in-order bytes over busy time, waits at segment ends included, divided by
 * the sum of the rates of paths with data. A single path has nothing to learn.
 */
export function learnEfficiency(
  state: PathEstimatorState,
  interval: LedgerInterval,
  cover: { busy: Span | undefined; covered: boolean },
): PathEstimatorState {
  const ids = usablePaths(state.paths, state.config);
  const key = pathSetKey(ids);
  const open = state.setWindow?.key === key ? state.setWindow : undefined;
  const isShared = ids.length > 1 && !state.independent;
  if (!interval.continuous || !isShared) return { ...state, setWindow: undefined };
  if (!cover.covered) {
    // The time between two requests does not count. The window continues with the next segment.
    const { busy } = cover;
    if (!open || !busy) return { ...state, setWindow: open };
    const edgeMs = Math.min(busy.endMs, interval.endMs) - Math.max(busy.startMs, interval.startMs);
    const inOrderBytes = open.inOrderBytes + interval.inOrderBytes;
    return { ...state, setWindow: { ...open, inOrderBytes, busyMs: open.busyMs + edgeMs } };
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
  // Judges only when no bytes are out of order: a burst of released bytes belongs to the time of their wait.
  const settled = interval.outOfOrderBytes < state.config.outOfOrderNoiseBytes;
  const due = grown.busyMs >= state.config.efficiencyWindowMs;
  if (
    !due ||
    (!settled && grown.busyMs < MAX_UNSETTLED_WINDOWS * state.config.efficiencyWindowMs)
  ) {
    return { ...state, setWindow: grown };
  }
  return judge(state, ids, grown);
}

function judge(
  state: PathEstimatorState,
  ids: readonly PathId[],
  window: SetWindow,
): PathEstimatorState {
  const share = windowShare(state, ids, window);
  const before = state.efficiency.get(window.key) ?? nothingLearned;
  const lesson =
    share === undefined ? undefined : addShare(before, share, window.busyMs, state, ids);
  const paths = new Map<PathId, PathTrack>();
  for (const [id, track] of state.paths) {
    paths.set(id, { ...track, rate: { ...track.rate, counted: unknownRate.counted } });
  }
  const next: PathEstimatorState = { ...state, paths, setWindow: undefined };
  if (lesson === undefined) return next;
  const efficiency = new Map(state.efficiency);
  keepNewest(efficiency, window.key, lesson, estimatorLimits.pathSets);
  return { ...next, efficiency };
}

/** In-order rate over the sum of the paths' rates. Undefined if one of them has no rate. */
function windowShare(
  state: PathEstimatorState,
  ids: readonly PathId[],
  window: SetWindow,
): number | undefined {
  let sumBps = 0;
  for (const id of ids) {
    const track = state.paths.get(id);
    const rateBps = countedBps(track);
    // A path without bytes takes part only if that was an outage.
    const tookPart = window.moved.includes(id) || (track?.rate.counted.ms ?? 0) >= MIN_COUNTED_MS;
    if (rateBps === undefined || !tookPart) return undefined;
    sumBps += rateBps;
  }
  return sumBps > 0
    ? clamp((window.inOrderBytes * 8000) / window.busyMs / sumBps, MIN_EFFICIENCY, 1)
    : undefined;
}

/** The path's rate in this window, or its slow mean if it had too little data. */
function countedBps(track: PathTrack | undefined): number | undefined {
  if (!track) return undefined;
  const { counted, slow } = track.rate;
  return counted.ms >= MIN_COUNTED_MS ? (counted.bytes * 8000) / counted.ms : ewmaMean(slow);
}
