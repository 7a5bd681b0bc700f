import type { Ladder, Rung } from '../core';
import type { RequestEvent } from '../session-log';

/** The rung of a request, by its bit rate: its index may belong to another period's ladder. */
export function rungOfRequest(
  ladders: readonly Ladder[],
  request: Pick<RequestEvent, 'mediaType' | 'rung' | 'bitrateBps'>,
): Rung | undefined {
  const rungs = ladders
    .filter(({ mediaType }) => mediaType === (request.mediaType ?? 'video'))
    .flatMap((ladder) => ladder.rungs);
  const sameIndex = rungs.filter(({ index }) => index === request.rung);
  if (request.bitrateBps === undefined) return sameIndex[0];
  const sameRate = (rung: Rung): boolean => rung.bitrateBps === request.bitrateBps;
  return sameIndex.find(sameRate) ?? rungs.find(sameRate);
}
