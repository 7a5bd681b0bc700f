import { formatBitRate, formatBytes, formatDuration, formatShare } from '../../core';
import type { Metric } from '../../qoe';

/** A value with its unit, for people: `3.2 Mbit/s`, `92 %`. */
export function metricText(metric: Metric, value: number | null | undefined): string {
  if (value === null || value === undefined) return '–';
  switch (metric.unit) {
    case 'ms':
      return formatDuration(value);
    case 'bit/s':
      return formatBitRate(value);
    case 'byte':
      return formatBytes(value);
    case 'Mbit/s':
      return value.toFixed(2);
    case '1':
      return metric.isShare ? formatShare(value, 1) : shortNumber(value);
  }
}

/** The unit of a column with a common scale, and its divisor. */
export function columnScale(
  metric: Metric,
  largest: number,
): { unit: string; divisor: number; digits: number } {
  const size = Math.abs(largest);
  const scale = (unit: string, divisor: number): ReturnType<typeof columnScale> => {
    const shown = size / divisor;
    return { unit, divisor, digits: shown >= 100 ? 0 : shown >= 10 ? 1 : 2 };
  };
  switch (metric.unit) {
    case 'ms':
      return size >= 2000 ? scale('s', 1000) : scale('ms', 1);
    case 'bit/s':
      return size >= 1e6 ? scale('Mbit/s', 1e6) : scale('kbit/s', 1e3);
    case 'byte':
      return size >= 1e6 ? scale('MB', 1e6) : scale('kB', 1e3);
    case 'Mbit/s':
      return { unit: '', divisor: 1, digits: 2 };
    case '1':
      return metric.isShare ? scale('%', 0.01) : { unit: '', divisor: 1, digits: 1 };
  }
}

function shortNumber(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toFixed(1);
}

/** `p < 0.001`, `p = 0.03`. */
export function pText(p: number | null): string {
  if (p === null) return '–';
  return p < 0.001 ? 'p < 0.001' : `p = ${p.toPrecision(2)}`;
}
