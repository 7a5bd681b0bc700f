import {
  harmonicMean,
  highestBelow,
  type Controller,
  type ControllerObservation,
} from './controller';

const SEGMENTS = 5;
const SAFETY = 0.9;

/** The highest rung below nine tenths of the recent throughput (as dash.js's throughput rule has it). */
export class RateBased implements Controller {
  readonly name = 'throughput';

  choose({ ladder, throughputBps }: ControllerObservation): number {
    const mean = harmonicMean(throughputBps, SEGMENTS);
    return mean === undefined ? 0 : highestBelow(ladder, mean * SAFETY);
  }
}
