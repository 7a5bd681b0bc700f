import { highestBelow, type Controller, type ControllerObservation } from './controller';

/** Shares of the buffer target: below the first the lowest rung, above the second the highest. */
const RESERVOIR = 0.25;
const CUSHION_END = 0.9;

/** BBA-0 (Huang et al., SIGCOMM 2014): the rate is a straight line over the buffer level. */
export class BufferBased implements Controller {
  readonly name = 'bba';

  choose({ ladder, bufferMs, bufferTargetMs, currentRung }: ControllerObservation): number {
    const rungs = ladder.rungs;
    const lowest = rungs[0]?.bitrateBps ?? 0;
    const highest = rungs.at(-1)?.bitrateBps ?? 0;
    const share = (bufferMs / bufferTargetMs - RESERVOIR) / (CUSHION_END - RESERVOIR);
    const mapped = lowest + Math.min(Math.max(share, 0), 1) * (highest - lowest);
    const current = rungs[currentRung];
    if (current === undefined) return highestBelow(ladder, mapped);
    const up = rungs[currentRung + 1]?.bitrateBps ?? Infinity;
    const down = rungs[currentRung - 1]?.bitrateBps ?? -Infinity;
    // Stays until the line has passed the next rung in either direction.
    return mapped >= up || mapped <= down ? highestBelow(ladder, mapped) : currentRung;
  }
}
