import type { Corner } from '../core';

/** One linear piece, and the integral up to its start. */
interface Piece {
  fromX: number;
  fromY: number;
  toX: number;
  toY: number;
  before: number;
}

/**
 * Integral of a piecewise linear function from 0 to a value, flat after its last corner. The constant parts
 * are summed once, in the order of a full summation: the sums are equal bit by bit.
 * @param corners sorted, the first at 0
 */
export function createBufferValue(corners: readonly Corner[]): (to: number) => number {
  const pieces: Piece[] = [];
  let [fromX, fromY] = corners[0] ?? [0, 0];
  let before = 0;
  for (const [toX, toY] of [...corners.slice(1), [Infinity, corners.at(-1)?.[1] ?? 0] as Corner]) {
    pieces.push({ fromX, fromY, toX, toY, before });
    before += (toX - fromX) * ((fromY + toY) / 2);
    [fromX, fromY] = [toX, toY];
  }
  return (to) => {
    for (const piece of pieces) {
      if (to > piece.toX) continue;
      const passedX = to - piece.fromX;
      if (passedX <= 0) return piece.before;
      const rise = ((piece.toY - piece.fromY) * passedX) / (piece.toX - piece.fromX);
      const endY = to < piece.toX ? piece.fromY + rise : piece.toY;
      return piece.before + passedX * ((piece.fromY + endY) / 2);
    }
    return 0;
  };
}
