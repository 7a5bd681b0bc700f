/** A position this little before a buffered range counts as inside it, in seconds. */
const EDGE_SECONDS = 0.1;

/** Start and end of a buffered range, in seconds. */
interface BufferedRange {
  start: number;
  end: number;
}

/** Media buffered ahead of a position in seconds, in milliseconds; 0 outside of every range. */
export function aheadMs(ranges: readonly BufferedRange[], nowSeconds: number): number {
  const range = ranges.find(
    ({ start, end }) => start - EDGE_SECONDS <= nowSeconds && nowSeconds <= end,
  );
  return range ? Math.max(0, (range.end - nowSeconds) * 1000) : 0;
}
