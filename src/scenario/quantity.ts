import * as v from 'valibot';
import { kindOf } from './format-fields';

/**
 * Quantities with units. Once read, rates are in bits per second, times in milliseconds, sizes in bytes,
 * ratios from 0 to 1. A number without its unit is refused, because 5 ms and 5 s would look alike.
 */

const RATE: Readonly<Record<string, number>> = { bit: 1, kbit: 1e3, mbit: 1e6, gbit: 1e9 };
const TIME: Readonly<Record<string, number>> = { us: 1e-3, ms: 1, s: 1e3, min: 6e4, h: 36e5 };
const SIZE: Readonly<Record<string, number>> = { b: 1, kb: 1e3, mb: 1e6, gb: 1e9 };
const RATIO: Readonly<Record<string, number>> = { '%': 0.01 };

interface Kind {
  /** Noun of "expected a ...". */
  what: string;
  units: Readonly<Record<string, number>>;
  pattern: RegExp;
  examples: string;
}

const NUMBER = String.raw`^\d+(\.\d+)?\s?`;
const RATE_KIND: Kind = {
  what: 'rate',
  units: RATE,
  pattern: new RegExp(`${NUMBER}([kKmMgG]?[bB]it)(/s)?$`),
  examples: '600kbit or 5mbit',
};
const TIME_KIND: Kind = {
  what: 'time',
  units: TIME,
  pattern: new RegExp(`${NUMBER}(us|ms|s|min|h)$`),
  examples: '10ms or 20s',
};
const SIZE_KIND: Kind = {
  what: 'size',
  units: SIZE,
  pattern: new RegExp(`${NUMBER}([kKmMgG]?B)$`),
  examples: '60kB or 2MB',
};
const RATIO_KIND: Kind = {
  what: 'share',
  units: RATIO,
  pattern: new RegExp(`${NUMBER}(%)$`),
  examples: '1% or 0.5%',
};

/** Smallest and largest value allowed, as written. */
export interface Bounds {
  min: string;
  max: string;
}

function read(kind: Kind, text: string): number {
  const match = /^([\d.]+)\s?([a-z%]+)/i.exec(text);
  const value = Number(match?.[1]) * (kind.units[match?.[2]?.toLowerCase() ?? ''] ?? Number.NaN);
  // 1 % is 0.01, not 0.010000000000000002: values are rounded to a thousandth of the smallest unit.
  return Number(value.toPrecision(12));
}

function quantity(kind: Kind, bounds: Bounds) {
  const min = read(kind, bounds.min);
  const max = read(kind, bounds.max);
  const wanted = `expected a ${kind.what} with its unit, such as ${kind.examples}`;
  const message = (issue: v.BaseIssue<unknown>): string =>
    typeof issue.input === 'number'
      ? `${kindOf(issue.input)} has no unit: ${wanted}`
      : `${wanted}, not ${kindOf(issue.input)}`;
  return v.pipe(
    v.string(message),
    v.regex(kind.pattern, message),
    v.rawTransform(({ dataset, addIssue, NEVER }) => {
      const value = read(kind, dataset.value);
      if (value >= min && value <= max) return value;
      addIssue({ message: `${dataset.value} is not between ${bounds.min} and ${bounds.max}` });
      return NEVER;
    }),
  );
}

/** Bits per second. */
export const rate = (bounds: Bounds = { min: '1kbit', max: '100gbit' }) =>
  quantity(RATE_KIND, bounds);
/** Milliseconds. */
export const time = (bounds: Bounds) => quantity(TIME_KIND, bounds);
/** Bytes. */
export const size = (bounds: Bounds) => quantity(SIZE_KIND, bounds);
/** 0 to 1. */
export const ratio = (bounds: Bounds = { min: '0%', max: '100%' }) => quantity(RATIO_KIND, bounds);

/** A quantity as written, and its value in the base unit of its kind. */
export interface Quantity {
  kind: 'rate' | 'time' | 'size' | 'share' | 'number';
  /** Bits per second, milliseconds, bytes, 0 to 1, or the number itself. */
  value: number;
  /** Unit as written; empty for a number. */
  unit: string;
  /** Base units in one of `unit`. */
  scale: number;
}

/** Reads a quantity of any kind, or a number without a unit; undefined for any other text. */
export function readQuantity(text: string): Quantity | undefined {
  const [, digits = '', unit = ''] = /^(-?\d+(?:\.\d+)?)\s?([a-zA-Z%]*)$/.exec(text.trim()) ?? [];
  if (digits === '') return undefined;
  if (unit === '') return { kind: 'number', value: Number(digits), unit, scale: 1 };
  const kinds = { rate: RATE, time: TIME, size: SIZE, share: RATIO } as const;
  for (const kind of ['rate', 'time', 'size', 'share'] as const) {
    const scale = kinds[kind][unit.toLowerCase()];
    if (scale === undefined) continue;
    return { kind, value: Number((Number(digits) * scale).toPrecision(12)), unit, scale };
  }
  return undefined;
}
