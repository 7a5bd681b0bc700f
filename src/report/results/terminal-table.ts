/** Two spaces between columns. */
const GAP = 2;
/** A column is not made narrower than this. */
const MIN_WIDTH = 8;

const widthsOf = (rows: readonly (readonly string[])[]): number[] =>
  (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));

/** Words of a cell in lines of at most `width`. */
export function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) {
      lines[lines.length - 1] = `${last} ${word}`;
    } else lines.push(word);
  }
  return lines;
}

/** The longest word of each column: in a narrower one it would push the rest of its row out of line. */
const minWidths = (rows: readonly (readonly string[])[]): number[] =>
  (rows[0] ?? []).map((_, column) => {
    const words = rows.flatMap((row) => row[column]?.split(' ') ?? []);
    return Math.max(MIN_WIDTH, ...words.map(({ length }) => length));
  });

/** Widths that fit: the widest column gives way first, down to its longest word. */
function fitted(widths: readonly number[], least: readonly number[], total: number): number[] {
  const fit = [...widths];
  const taken = (): number => fit.reduce((sum, one) => sum + one + GAP, -GAP);
  const spare = (column: number): number => (fit[column] ?? 0) - (least[column] ?? 0);
  while (taken() > total) {
    const [widest] = [...fit.keys()]
      .filter((column) => spare(column) > 0)
      .sort((a, b) => (fit[b] ?? 0) - (fit[a] ?? 0));
    if (widest === undefined) break;
    fit[widest] = (fit[widest] ?? 0) - 1;
  }
  return fit;
}

/**
 * Rows in columns, cells wrapped so that the table fits into `total` characters. The first row is the head. Ours,
 * because `table` and cli-table3 wrap only to widths that the caller computes, which is most of this.
 */
export function terminalTable(rows: readonly (readonly string[])[], total: number): string[] {
  const widths = fitted(widthsOf(rows), minWidths(rows), total);
  const isNumber = (text: string): boolean => /^[-–−+]?\d/.test(text);
  const right = widths.map((_, column) => {
    const cells = rows.slice(1).map((row) => row[column] ?? '');
    return cells.length > 0 && cells.every((text) => text === '–' || isNumber(text));
  });
  const lines = rows.flatMap((row) => {
    const cells = widths.map((width, column) => wrapped(row[column] ?? '', width));
    const height = Math.max(...cells.map((cell) => cell.length));
    return Array.from({ length: height }, (_, i) =>
      cells
        .map((cell, column) => {
          const [text, width] = [cell[i] ?? '', widths[column] ?? 0];
          return right[column] === true ? text.padStart(width) : text.padEnd(width);
        })
        .join(' '.repeat(GAP))
        .trimEnd(),
    );
  });
  const rule = widths.map((width) => '-'.repeat(width)).join(' '.repeat(GAP));
  const headLines = Math.max(
    ...widths.map((width, column) => wrapped(rows[0]?.[column] ?? '', width).length),
  );
  return [...lines.slice(0, headLines), rule, ...lines.slice(headLines)];
}

/** The same for a report: indented, wide enough for a row a player, narrow enough for most windows. */
export const indentedTable = (rows: readonly (readonly string[])[]): string[] =>
  terminalTable(rows, 118).map((line) => `  ${line}`);

const isRow = (line: string): boolean => /^\|.*\|$/.test(line.trim());
const isRule = (cells: readonly string[]): boolean => cells.every((cell) => /^:?-+:?$/.test(cell));
const plain = (text: string): string =>
  text.replaceAll('\\|', '|').replaceAll(/(\*\*|`)(.+?)\1/g, '$2');

function cellsOf(line: string): string[] {
  return line
    .trim()
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => plain(cell.trim()));
}

/** Markdown for a terminal: tables in columns, other lines without their marks. */
export function terminalText(markdown: string, total: number): string {
  const out: string[] = [];
  let rows: string[][] = [];
  const flush = (): void => {
    if (rows.length > 0) out.push(...terminalTable(rows, total));
    rows = [];
  };
  for (const line of markdown.split('\n')) {
    if (isRow(line)) {
      const cells = cellsOf(line);
      if (!isRule(cells)) rows.push(cells);
      continue;
    }
    flush();
    out.push(plain(line.replace(/^#+ /, '')));
  }
  flush();
  return out.join('\n');
}
