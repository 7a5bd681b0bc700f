import type { ExperimentClaim } from '../types';
import type { Cells } from './cells';
import { baseThroughput } from './flow-claims';
import { baseSwitches, fewerSwitches, fewestSwitches } from './switch-claims';
import { baseVideo, conclusion, introduction, largeDelay, smallDelay } from './video-claims';

/** Every statement on results in sections I, VI and VII that can be computed, beside ours. */
export function stickyClaims(cells: Cells): ExperimentClaim[] {
  return [
    ...introduction(cells),
    ...baseVideo(cells),
    ...baseSwitches(cells),
    ...fewestSwitches(cells),
    ...baseThroughput(cells),
    ...smallDelay(cells),
    ...largeDelay(cells),
    ...conclusion(cells),
    ...fewerSwitches(cells),
  ];
}
