import { readQuantity, type Quantity } from '../../scenario';

/** An invalid sweep, with the expected syntax. */
export class SweepError extends Error {
  override readonly name = 'SweepError';
}

/** A range between two quantities of one kind. */
export interface AxisRange {
  from: Quantity;
  to: Quantity;
  /** Even steps of the logarithm. */
  isLog: boolean;
  /** Values in a grid, both ends included. */
  steps?: number;
}

/** One parameter of the scenario and its values, in the scenario file's syntax. */
export type Axis = { path: string; values: readonly string[] } | { path: string; range: AxisRange };

/** A range with more steps is considered a mistake. Chosen; no measurement. */
const MAX_VALUES = 100_000;

/** Parts of a list: commas inside of braces, brackets and quotes do not count. */
export function splitList(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let quote = '';
  let part = '';
  for (const letter of text) {
    if (quote !== '') quote = letter === quote ? '' : quote;
    else if (letter === '"' || letter === "'") quote = letter;
    else if (letter === '{' || letter === '[') depth += 1;
    else if (letter === '}' || letter === ']') depth -= 1;
    if (letter === ',' && depth === 0 && quote === '') {
      parts.push(part.trim());
      part = '';
    } else part += letter;
  }
  return [...parts, part.trim()];
}

const RANGE = /^(\S+?)\.\.(\S+?)(?:\/(\d+))?(\s+log)?$/;

function rangeFrom(path: string, text: string): AxisRange | undefined {
  const [, low = '', high = '', steps, log] = RANGE.exec(text.trim()) ?? [];
  if (low === '') return undefined;
  const [from, to] = [readQuantity(low), readQuantity(high)];
  // Names may contain dots: ../traces/a.json is no range.
  if (from === undefined || to === undefined) return undefined;
  const refuse = (why: string): never => {
    throw new SweepError(`${path}=${text}: ${why}`);
  };
  if (from.kind !== to.kind) refuse('both ends of a range need units of the same kind');
  if (!(from.value < to.value)) refuse('a range goes from a smaller value to a larger one');
  if (log !== undefined && from.value <= 0) refuse('a logarithmic range begins above 0');
  const range = { from, to, isLog: log !== undefined };
  if (steps === undefined) return range;
  const count = Number(steps);
  if (count < 2 || count > MAX_VALUES) refuse(`a range has 2 to ${MAX_VALUES} steps`);
  return { ...range, steps: count };
}

/**
 * Parses the values of one parameter: `a,b,c`, `FROM..TO`, `FROM..TO/STEPS`, each range with ` log` for even
 * steps of the logarithm.
 * @throws SweepError
 */
export function readAxis(path: string, text: string): Axis {
  const range = rangeFrom(path, text);
  if (range !== undefined) return { path, range };
  const values = splitList(text);
  if (values.includes('')) throw new SweepError(`${path}=${text}: a value is empty`);
  return { path, values: [...new Set(values)] };
}

/** Value at a fraction of a range, 0 to 1, in the unit of its lower end; an integer if both ends are. */
export function valueAt({ from, to, isLog }: AxisRange, share: number): string {
  const value = isLog
    ? from.value * (to.value / from.value) ** share
    : from.value + (to.value - from.value) * share;
  const isWhole = from.kind === 'number' && [from, to].every((end) => Number.isInteger(end.value));
  const written = isWhole ? Math.round(value) : Number((value / from.scale).toPrecision(6));
  return `${written}${from.unit}`;
}

/**
 * The values of an axis in a grid.
 * @throws SweepError for a range without steps
 */
export function gridValues(axis: Axis): readonly string[] {
  if ('values' in axis) return axis.values;
  const { range, path } = axis;
  const { steps } = range;
  if (steps === undefined) {
    throw new SweepError(
      `${path}: a grid needs the number of values of a range, such as ${valueAt(range, 0)}..${valueAt(range, 1)}/5; or draw at random with --sample`,
    );
  }
  const all = Array.from({ length: steps }, (_, index) => valueAt(range, index / (steps - 1)));
  return [...new Set(all)];
}

/** True if every value of an axis is a quantity of one kind, so that it fits a numeric column. */
export function isNumeric(axis: Axis): boolean {
  if ('range' in axis) return true;
  const kinds = new Set(axis.values.map((value) => readQuantity(value)?.kind));
  return kinds.size === 1 && !kinds.has(undefined);
}
