import { harmonicMean, highestBelow, type ReferenceObservation } from '../../abr';
import type { Controller } from './controller';

/** Number of segments in the mean. Chosen; no measurement. */
const SEGMENTS = 5;
/** dash.js's default safety factor (bandwidthSafetyFactor). */
const SAFETY = 0.9;

/** The highest rung below nine tenths of the recent throughput, like dash.js's throughput rule. */
export class RateBased implements Controller {
  readonly name = 'throughput';

  choose({
    ladder,
    throughputBps,
  }: Pick<ReferenceObservation, 'ladder' | 'throughputBps'>): number {
    const mean = harmonicMean(throughputBps, SEGMENTS);
    return mean === undefined ? 0 : highestBelow(ladder, mean * SAFETY);
  }
}
