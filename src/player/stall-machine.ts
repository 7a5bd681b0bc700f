/**
 * When playback stands still, judged from the media element alone, so that it can be held against dash.js's
 * own events. A start-up wait, a pause, a seek and the end are no stalls; neither is a hitch too short to be
 * seen, which a busy machine causes with seconds of media in hand.
 */

/** The media element at one instant. */
export interface ElementState {
  nowMs: number;
  positionMs: number;
  /** HTMLMediaElement.readyState: below 3 (HAVE_FUTURE_DATA) the element cannot go on. */
  readyState: number;
  paused: boolean;
  seeking: boolean;
  ended: boolean;
}

export type StallChange =
  { phase: 'start'; atMs: number } | { phase: 'end'; atMs: number; durationMs: number };

export interface StallState {
  /** Playback has moved since the start or the last seek; only then can it stall. */
  armed: boolean;
  /** Position when last seen; undefined before the first look. */
  positionMs: number | undefined;
  /** Set while the element stands still; `told` once that has lasted long enough to be a stall. */
  stall: { sinceMs: number; positionMs: number; told: boolean } | undefined;
  count: number;
  totalMs: number;
}

/** Standing still for less is a hitch: two or three frames. */
const MIN_STALL_MS = 100;
/** Movement below this is not playback: seeks and gap jumps land with small corrections. */
const MOVED_MS = 1;
const HAVE_FUTURE_DATA = 3;

export const initialStallState: StallState = {
  armed: false,
  positionMs: undefined,
  stall: undefined,
  count: 0,
  totalMs: 0,
};

/** The stall time so far, a running stall included. */
export function stallTotals(state: StallState, nowMs: number): { count: number; totalMs: number } {
  const runningMs = state.stall?.told === true ? Math.max(0, nowMs - state.stall.sinceMs) : 0;
  return { count: state.count, totalMs: state.totalMs + runningMs };
}

/** One look at the element; call it on every media event and on a timer. */
export function observeElement(
  state: StallState,
  element: ElementState,
): { state: StallState; change?: StallChange } {
  const moved = state.positionMs !== undefined && element.positionMs - state.positionMs > MOVED_MS;
  const next: StallState = { ...state, positionMs: element.positionMs };
  const excused = element.paused || element.seeking || element.ended;

  if (state.stall) {
    const { sinceMs, positionMs, told } = state.stall;
    const over = excused || element.positionMs - positionMs > MOVED_MS;
    const durationMs = Math.max(0, element.nowMs - sinceMs);
    if (!told && durationMs >= MIN_STALL_MS) {
      // One change a look: if it is over already, the next look tells so.
      return {
        state: { ...next, stall: { ...state.stall, told: true }, count: state.count + 1 },
        change: { phase: 'start', atMs: sinceMs },
      };
    }
    if (!over) return { state: next };
    const moving = { ...next, armed: !element.seeking && !element.ended, stall: undefined };
    if (!told) return { state: moving };
    return {
      state: { ...moving, totalMs: state.totalMs + durationMs },
      change: { phase: 'end', atMs: element.nowMs, durationMs },
    };
  }
  if (element.seeking || element.ended) return { state: { ...next, armed: false } };
  if (element.paused) return { state: next };
  if (state.armed && element.readyState < HAVE_FUTURE_DATA) {
    const stall = { sinceMs: element.nowMs, positionMs: element.positionMs, told: false };
    return { state: { ...next, stall } };
  }
  const playing = moved && element.readyState >= HAVE_FUTURE_DATA;
  return { state: { ...next, armed: state.armed || playing } };
}
