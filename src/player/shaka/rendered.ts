/** Media of one rung, in media time. */
interface Piece {
  startMs: number;
  endMs: number;
  rung: number;
}

/** Pieces that end this long before the position are forgotten. */
const KEEP_BEHIND_MS = 60_000;

/**
 * Derives the displayed rung: Shaka and hls.js report fetched and chosen rungs, not the displayed one. The piece
 * fetched last for a time is the one in the buffer.
 */
export class Rendered {
  #pieces: Piece[] = [];
  #rung = -1;

  /** A media segment has arrived. */
  fetched(piece: Piece): void {
    this.#pieces.push(piece);
  }

  /** The last displayed rung; -1 before the first. */
  get rung(): number {
    return this.#rung;
  }

  /**
   * The position has moved.
   * @returns the rungs before and after a change
   */
  moved(positionMs: number): { from: number; to: number } | undefined {
    this.#pieces = this.#pieces.filter((piece) => piece.endMs > positionMs - KEEP_BEHIND_MS);
    const shown = this.#pieces
      .filter(({ startMs, endMs }) => startMs <= positionMs && positionMs < endMs)
      .at(-1);
    if (!shown || shown.rung === this.#rung) return undefined;
    const from = this.#rung;
    this.#rung = shown.rung;
    return from === -1 ? undefined : { from, to: shown.rung };
  }
}
