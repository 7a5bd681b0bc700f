import { observePathEvent, observeSamples } from '../estimate';
import { atSampleTime, atTime } from './clock';
import { decide } from './decide';
import { configureBrain, observeBrainRequestEnd, observeBrainRequestStart } from './observe';
import { createBrain, type BrainState } from './state';
import type { BrainConfig, BrainDecision, BrainInput } from './types';

/** Takes one input of any kind. A `decide` input returns a `decision`. */
export function stepBrain(
  state: BrainState,
  input: BrainInput,
): { state: BrainState; decision?: BrainDecision } {
  switch (input.type) {
    case 'samples': {
      const timed = atSampleTime(state, input.batch.monotonicMs);
      return { state: { ...timed, estimator: observeSamples(timed.estimator, input.batch) } };
    }
    case 'path-event':
      return { state: { ...state, estimator: observePathEvent(state.estimator, input.event) } };
    case 'request-start':
      return { state: observeBrainRequestStart(state, input.request) };
    case 'request-end':
      return { state: observeBrainRequestEnd(state, input.request) };
    case 'feed-ended':
      return { state: { ...state, feedEnded: true } };
    case 'configure':
      return { state: configureBrain(state, input.config) };
    case 'decide': {
      const { observation } = input;
      const timed = atTime(state, observation.monotonicMs);
      return decide(timed, { ...observation, monotonicMs: timed.nowMs });
    }
  }
}

/** The decisions from a log's inputs: bit by bit equal to the recorded ones. */
export function replay(config: BrainConfig, inputs: readonly BrainInput[]): BrainDecision[] {
  const decisions: BrainDecision[] = [];
  let state = createBrain(config);
  for (const input of inputs) {
    const next = stepBrain(state, input);
    state = next.state;
    if (next.decision) decisions.push(next.decision);
  }
  return decisions;
}
