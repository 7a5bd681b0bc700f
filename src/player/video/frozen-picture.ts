/**
 * Decides when to recover a picture that freezes although media is buffered: the decoder is stuck. Gaps are
 * excluded; dash.js jumps them.
 */

/** The media element at one instant. */
export interface PictureState {
  nowMs: number;
  /** Frames decoded so far, including late ones; absent if no picture can be observed. */
  decoded: number | undefined;
  /** True if the element should play and has media. */
  expected: boolean;
}

export interface FrozenPictureState {
  decoded: number | undefined;
  /** Start of the time without new decoded frames. */
  sinceMs: number;
  /** Consecutive observations with new frames; a film with few frames never has many. */
  steadyLooks: number;
  /** Jumps since the picture was last steady. */
  jumps: number;
}

/** Time without decoded frames after which a steady picture is frozen; dash.js jumps gaps within 1 s. Chosen; no measurement. */
const FROZEN_MS = 5000;
/** Observations with new frames that make a picture steady. Example: 2 s at one observation each 500 ms. */
const STEADY_LOOKS = 4;
/** Resets the decoder in place, which is invisible in a still scene. */
const FIRST_JUMP_MS = 50;
/** Skips a segment. */
const NEXT_JUMP_MS = 2000;

export const initialFrozenPicture: FrozenPictureState = {
  decoded: undefined,
  sinceMs: 0,
  steadyLooks: 0,
  jumps: 0,
};

/**
 * Takes one observation of the element; call it on a timer.
 * @returns `jumpMs`, the target of a jump, if one is due
 */
export function observePicture(
  state: FrozenPictureState,
  { nowMs, decoded, expected }: PictureState,
): { state: FrozenPictureState; jumpMs?: number } {
  const wasSteady = state.steadyLooks >= STEADY_LOOKS || state.jumps > 0;
  if (decoded === undefined || decoded !== state.decoded) {
    const steadyLooks = decoded === undefined ? 0 : state.steadyLooks + 1;
    const jumps = steadyLooks >= STEADY_LOOKS ? 0 : state.jumps;
    return { state: { decoded, sinceMs: nowMs, steadyLooks, jumps } };
  }
  if (!expected) return { state: { ...state, sinceMs: nowMs } };
  if (!wasSteady) return { state: { ...state, sinceMs: nowMs, steadyLooks: 0 } };
  if (nowMs - state.sinceMs < FROZEN_MS) return { state };
  return {
    state: { decoded, sinceMs: nowMs, steadyLooks: 0, jumps: state.jumps + 1 },
    jumpMs: state.jumps === 0 ? FIRST_JUMP_MS : NEXT_JUMP_MS,
  };
}
