import { highestBelow, type ReferenceObservation } from '../../abr';
import type { Controller } from './controller';

/** Fractions of the buffer target: lowest rung below the first, highest above the second. */
const RESERVOIR = 0.25;
const CUSHION_END = 0.9;

/** BBA-0 (Huang et al., SIGCOMM 2014): the rate is a linear function of the buffer level. */
export class BufferBased implements Controller {
  readonly name = 'bba';

  choose({ ladder, bufferMs, bufferTargetMs, currentRung }: ReferenceObservation): number {
    const rungs = ladder.rungs;
    const lowest = rungs[0]?.bitrateBps ?? 0;
    const highest = rungs.at(-1)?.bitrateBps ?? 0;
    const share = (bufferMs / bufferTargetMs - RESERVOIR) / (CUSHION_END - RESERVOIR);
    const mapped = lowest + Math.min(Math.max(share, 0), 1) * (highest - lowest);
    const current = rungs[currentRung];
    if (current === undefined) return highestBelow(ladder, mapped);
    const up = rungs[currentRung + 1]?.bitrateBps ?? Infinity;
    const down = rungs[currentRung - 1]?.bitrateBps ?? -Infinity;
    // Keeps the rung until the line passes the next rung in either direction.
    return mapped >= up || mapped <= down ? highestBelow(ladder, mapped) : currentRung;
  }
}
