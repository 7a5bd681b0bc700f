/**
 * Size of a terminal. A serial line or a pseudo-terminal without a window reports 0 by 0, which counts as 80
 * by 24.
 */
export function terminalSize(out: { columns?: number; rows?: number }): {
  columns: number;
  rows: number;
} {
  const { columns = 0, rows = 0 } = out;
  return { columns: columns > 0 ? columns : 80, rows: rows > 0 ? rows : 24 };
}
