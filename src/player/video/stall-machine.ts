/**
 * Detects stalls visible to the viewer from the media element alone, so that they can be checked against
 * dash.js's own events. A picture that freezes while the audio continues is a stall too. A start-up wait, a
 * pause, a seek and the end are none. An invisibly short hitch is none either; a busy machine causes one with
 * seconds of buffered media.
 */

/** The media element at one instant. */
export interface ElementState {
  nowMs: number;
  positionMs: number;
  /** HTMLMediaElement.readyState: below 3 (HAVE_FUTURE_DATA) the element cannot continue. */
  readyState: number;
  paused: boolean;
  seeking: boolean;
  ended: boolean;
  /**
   * Frames decoded plus frames shown so far; absent if no picture can be observed (audio only, a hidden page). A browser
   * decodes some frames ahead: the picture stands when both numbers do.
   */
  frames?: number | undefined;
}

export type StallChange =
  { phase: 'start'; atMs: number } | { phase: 'end'; atMs: number; durationMs: number };

/** A new frame or a new position was observed. */
interface Progress {
  atMs: number;
  positionMs: number;
  frames: number | undefined;
}

export interface StallState {
  /** Playback has moved since the start or the last seek; only then can it stall. */
  armed: boolean;
  /** Last observed position; undefined before the first observation. */
  positionMs: number | undefined;
  /** The last observation with a new frame or position. */
  progress: Progress | undefined;
  /** Usual media time for one more in `frames`; undefined before enough frames were shown. */
  frameIntervalMs: number | undefined;
  /** Set while the element stands still; `reported` once the time suffices for a stall. */
  stall: { sinceMs: number; at: Progress; reported: boolean } | undefined;
  count: number;
  totalMs: number;
}

/** A shorter standstill is a hitch: two or three frames. Chosen; no measurement. */
const MIN_STALL_MS = 100;
/**
 * Least time without a new frame that counts as a freeze while media is buffered. A shorter one is a hitch: viewers
 * hardly notice a freeze below 300 ms, and a busy machine delays the observations.
 */
const MIN_FREEZE_MS = 500;
/** A film with few frames a second is not frozen between them: two frames, decoded and shown. Chosen; no measurement. */
const FREEZE_FRAMES = 4;
/** Weight of a new frame interval against the earlier ones. Chosen; no measurement. */
const INTERVAL_WEIGHT = 0.25;
/** A smaller movement is not playback: seeks and gap jumps land with small corrections. */
const MOVED_MS = 1;
/** HTMLMediaElement.HAVE_FUTURE_DATA, which pure code lacks. */
const HAVE_FUTURE_DATA = 3;

export const initialStallState: StallState = {
  armed: false,
  positionMs: undefined,
  progress: undefined,
  frameIntervalMs: undefined,
  stall: undefined,
  count: 0,
  totalMs: 0,
};

/** Total stall time so far, including a running stall. */
export function stallTotals(state: StallState, nowMs: number): { count: number; totalMs: number } {
  const runningMs = state.stall?.reported === true ? Math.max(0, nowMs - state.stall.sinceMs) : 0;
  return { count: state.count, totalMs: state.totalMs + runningMs };
}

/** Takes one observation of the element; call it on every media event and on a timer. */
export function observeElement(
  before: StallState,
  element: ElementState,
): { state: StallState; change?: StallChange } {
  const moved =
    before.positionMs !== undefined && element.positionMs - before.positionMs > MOVED_MS;
  const state = follow(before, element);
  const excused = element.paused || element.seeking || element.ended;

  if (state.stall) {
    const { sinceMs, reported } = state.stall;
    const at = recount(state.stall.at, element);
    // A late frame may be shown while the position still waits for the sound. An element without future data stands
    // or stands again, even if it moved since the last observation.
    const canPlay = element.readyState >= HAVE_FUTURE_DATA;
    const over = excused || (isNew(at, element) && moved && canPlay);
    const durationMs = Math.max(0, element.nowMs - sinceMs);
    if (!reported && durationMs >= MIN_STALL_MS) {
      // One change an observation: if the stall is over already, the next observation ends it.
      return {
        state: { ...state, stall: { sinceMs, at, reported: true }, count: state.count + 1 },
        change: { phase: 'start', atMs: sinceMs },
      };
    }
    if (!over) return { state: { ...state, stall: { sinceMs, at, reported } } };
    // A frame shown during the stall is no start of the next one: two stalls never overlap.
    const moving = {
      ...state,
      armed: !element.seeking && !element.ended,
      progress: markOf(element),
      stall: undefined,
    };
    if (!reported) return { state: moving };
    return {
      state: { ...moving, totalMs: state.totalMs + durationMs },
      change: { phase: 'end', atMs: element.nowMs, durationMs },
    };
  }
  if (element.seeking || element.ended) return { state: { ...state, armed: false } };
  if (element.paused) return { state };
  if (state.armed && element.readyState < HAVE_FUTURE_DATA) {
    const stall = { sinceMs: element.nowMs, at: markOf(element), reported: false };
    return { state: { ...state, stall } };
  }
  const { progress } = state;
  if (state.armed && progress && element.nowMs - progress.atMs >= freezeMs(state, element)) {
    return {
      state: { ...state, stall: { sinceMs: progress.atMs, at: progress, reported: false } },
    };
  }
  const playing = moved && element.readyState >= HAVE_FUTURE_DATA;
  return { state: { ...state, armed: state.armed || playing } };
}

/** Stores the element's state, and the last observation with a new frame or position. */
function follow(state: StallState, element: ElementState): StallState {
  const next = { ...state, positionMs: element.positionMs };
  const { progress } = state;
  // A pause is no freeze, and the frames of another source are counted from zero.
  const restarts =
    !progress || element.paused || !state.armed || isOtherCount(progress.frames, element.frames);
  if (restarts) return { ...next, progress: markOf(element) };
  if (!isNew(progress, element)) return next;
  return {
    ...next,
    progress: markOf(element),
    frameIntervalMs: nextInterval(state.frameIntervalMs, progress, element),
  };
}

function nextInterval(
  beforeMs: number | undefined,
  progress: Progress,
  element: ElementState,
): number | undefined {
  const frames = (element.frames ?? 0) - (progress.frames ?? 0);
  const movedMs = element.positionMs - progress.positionMs;
  if (progress.frames === undefined || frames <= 0 || movedMs <= 0) return beforeMs;
  const intervalMs = movedMs / frames;
  return beforeMs === undefined ? intervalMs : beforeMs + INTERVAL_WEIGHT * (intervalMs - beforeMs);
}

/** Longest time without a new frame or position that is not a freeze. */
function freezeMs(state: StallState, element: ElementState): number {
  if (element.frames === undefined) return MIN_FREEZE_MS;
  if (state.frameIntervalMs === undefined) return Infinity;
  return Math.max(MIN_FREEZE_MS, FREEZE_FRAMES * state.frameIntervalMs);
}

function isNew(mark: Progress, element: ElementState): boolean {
  if (mark.frames !== undefined && element.frames !== undefined) {
    return element.frames > mark.frames;
  }
  return element.positionMs - mark.positionMs > MOVED_MS;
}

function isOtherCount(before: number | undefined, now: number | undefined): boolean {
  if (before === undefined || now === undefined) return before !== now;
  return now < before;
}

/** A reset decoder counts from zero; that alone shows no new frame. */
function recount(mark: Progress, { frames }: ElementState): Progress {
  return isOtherCount(mark.frames, frames) ? { ...mark, frames } : mark;
}

function markOf({ nowMs, positionMs, frames }: ElementState): Progress {
  return { atMs: nowMs, positionMs, frames };
}
