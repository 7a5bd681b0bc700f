import { isAlias, isMap, isNode, isScalar, isSeq, type Document, type LineCounter } from 'yaml';
import type { ScenarioPath } from './problems';

/**
 * Offset of the key (for a list entry: the value) at a path, or of the nearest enclosing node that is
 * written.
 */
function offsetOf(document: Document, path: ScenarioPath): number {
  let node: unknown = document.contents;
  let offset = isNode(node) ? (node.range?.[0] ?? 0) : 0;
  for (const key of path) {
    if (isAlias(node)) node = node.resolve(document);
    if (isMap(node)) {
      const pair = node.items.find(
        ({ key: found }) => isScalar(found) && String(found.value) === String(key),
      );
      if (pair === undefined) return offset;
      offset = isScalar(pair.key) ? (pair.key.range?.[0] ?? offset) : offset;
      node = pair.value;
    } else if (isSeq(node)) {
      node = node.items[Number(key)];
      if (!isNode(node)) return offset;
      offset = node.range?.[0] ?? offset;
    } else return offset;
  }
  return offset;
}

/** Line and column, from 1, of the node at a path, or of its enclosing node if it is missing. */
export function locate(
  document: Document,
  lines: LineCounter,
  path: ScenarioPath,
): { line: number; column: number } {
  const { line, col } = lines.linePos(offsetOf(document, path));
  return { line: Math.max(1, line), column: Math.max(1, col) };
}
