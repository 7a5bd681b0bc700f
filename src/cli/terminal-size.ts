/** Size of a terminal; a serial line or a pipe dressed as a terminal tells 0 by 0, which is taken for the classic 80 by 24. */
export function terminalSize(out: { columns?: number; rows?: number }): {
  columns: number;
  rows: number;
} {
  const { columns = 0, rows = 0 } = out;
  return { columns: columns > 0 ? columns : 80, rows: rows > 0 ? rows : 24 };
}
