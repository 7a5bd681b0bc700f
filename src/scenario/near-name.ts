/**
 * Number of edits (insert, remove, replace, swap of neighbours) between two words: the restricted edit
 * distance of Damerau and Levenshtein.
 */
function distance(left: string, right: string): number {
  const rows = [Array.from({ length: right.length + 1 }, (_, index) => index)];
  const at = (i: number, j: number): number => rows[i]?.[j] ?? Number.POSITIVE_INFINITY;
  for (let i = 1; i <= left.length; i += 1) {
    const row = [i];
    rows.push(row);
    for (let j = 1; j <= right.length; j += 1) {
      const isSame = left[i - 1] === right[j - 1];
      const isSwap = left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1];
      row.push(
        Math.min(
          at(i - 1, j - 1) + (isSame ? 0 : 1),
          at(i - 1, j) + 1,
          at(i, j - 1) + 1,
          isSwap ? at(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
  }
  return at(left.length, right.length);
}

/** Longest name that is compared or repeated; the comparison's time grows with its square. */
const MAX_CHARS = 40;

/** The nearest allowed name, if one is near enough. */
export function nearName(written: string, allowed: readonly string[]): string | undefined {
  if (written.length > MAX_CHARS) return undefined;
  const word = written.toLowerCase();
  const ranked = allowed
    .map((name) => ({ name, edits: distance(word, name.toLowerCase()) }))
    .sort((left, right) => left.edits - right.edits);
  const [best] = ranked;
  return best !== undefined && best.edits <= Math.max(1, Math.floor(word.length / 3))
    ? best.name
    : undefined;
}

/** `"wfi" is not known; one of: wifi, lte. Did you mean wifi?` */
export function notKnown(written: string, what: string, allowed: readonly string[]): string {
  const near = nearName(written, allowed);
  const list = allowed.length === 0 ? 'there is none' : `one of: ${allowed.join(', ')}`;
  const shown = written.length > MAX_CHARS ? `${written.slice(0, MAX_CHARS)}...` : written;
  return `"${shown}" is not ${what}; ${list}${near === undefined ? '' : `. Did you mean ${near}?`}`;
}
