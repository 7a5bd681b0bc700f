import type { ReferenceObservation, ReferenceRule } from '../../abr';

/** A bitrate rule for comparison with ours. One object per session. */
export interface Controller {
  readonly name: string;
  /** @param nowMs for controllers that know the network over time */
  choose(observation: ReferenceObservation, nowMs: number): number;
}

/** A rule without a state of its own. */
export const statelessController = (name: string, choose: ReferenceRule): Controller => ({
  name,
  choose,
});
