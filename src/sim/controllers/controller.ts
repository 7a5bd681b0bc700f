import type { ReferenceObservation, ReferenceRule } from '../../abr';

/** Browsers report the progress of a request at most this often (XMLHttpRequest). */
export const PROGRESS_MS = 50;

/** A video segment that is arriving. */
export interface ArrivingSegment {
  /** Segment number, from 0. */
  segment: number;
  firstByteMs: number | undefined;
  bytesLoaded: number;
  bytesTotal: number;
}

/** A bitrate rule for comparison with ours. One object per session. */
export interface Controller {
  readonly name: string;
  /** @param nowMs for controllers that know the network over time */
  choose(observation: ReferenceObservation, nowMs: number): number;
  /**
   * Asked every {@link PROGRESS_MS} while a video segment arrives; `currentRung` is that segment's.
   * @returns the lower rung that should replace it; undefined: it goes on
   */
  abandon?(
    arriving: ArrivingSegment,
    observation: ReferenceObservation,
    nowMs: number,
  ): number | undefined;
}

/** A rule without a state of its own. */
export const statelessController = (name: string, choose: ReferenceRule): Controller => ({
  name,
  choose,
});
