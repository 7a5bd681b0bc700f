import { escapeHtml } from '../html';
import { niceTicks } from '../results/svg';
import { withUnit } from './text';
import type { ExperimentFigure } from './types';

const WIDTH = 520;
const HEIGHT = 280;
export const PLOT = { left: 62, right: WIDTH - 14, top: 12, bottom: HEIGHT - 46 };
/** Names below an axis longer than this stand aslant. */
const LEVEL_NAME = 9;

export const n = (value: number): string => value.toFixed(1);

interface Range {
  low: number;
  high: number;
}

/** The axis for some values: with zero unless everything is far from it; `from` where it is told. */
export function rangeOf(values: readonly number[], from?: number): Range {
  const known = values.filter((value) => Number.isFinite(value));
  if (known.length === 0) return { low: from ?? 0, high: (from ?? 0) + 1 };
  const least = known.reduce((a, b) => Math.min(a, b));
  const most = known.reduce((a, b) => Math.max(a, b));
  const pad = (most - least || Math.abs(most) || 1) * 0.06;
  const isNearZero = least >= 0 && least <= most * 0.5;
  const low = from ?? (isNearZero || least === 0 ? 0 : least - pad);
  return { low, high: Math.max(most + pad, low + 1e-9) };
}

/** Where a value stands between two ends; what leaves the axis is kept at its end. */
export function scaleOf(
  { low, high }: Range,
  start: number,
  end: number,
): (value: number) => number {
  return (value) => {
    const inside = Math.min(Math.max(value, low), high);
    return start + ((inside - low) / (high - low)) * (end - start);
  };
}

const tickText = (tick: number): string => String(Number(tick.toPrecision(6)));

/** Lines across and their numbers. */
export function yAxis(range: Range, label: { label: string; unit?: string }): string {
  const y = scaleOf(range, PLOT.bottom, PLOT.top);
  const middle = (PLOT.top + PLOT.bottom) / 2;
  const ticks = niceTicks(range.low, range.high, 6).map(
    (tick) =>
      `<line class="grid" x1="${PLOT.left}" x2="${PLOT.right}" y1="${n(y(tick))}" y2="${n(y(tick))}"/>` +
      `<text class="tick" x="${PLOT.left - 6}" y="${n(y(tick) + 4)}" text-anchor="end">${tickText(tick)}</text>`,
  );
  const name = `<text class="tick" x="13" y="${n(middle)}" text-anchor="middle" transform="rotate(-90 13 ${n(middle)})">${escapeHtml(withUnit(label))}</text>`;
  return `${ticks.join('')}${name}`;
}

const xName = (figure: ExperimentFigure): string =>
  `<text class="tick" x="${n((PLOT.left + PLOT.right) / 2)}" y="${HEIGHT - 4}" text-anchor="middle">${escapeHtml(withUnit(figure.x))}</text>`;

/** Numbers below, or the names of 0, 1, ... */
export function xAxis(figure: ExperimentFigure, range: Range): string {
  const x = scaleOf(range, PLOT.left, PLOT.right);
  const { names } = figure.x;
  const marks =
    names === undefined
      ? niceTicks(range.low, range.high, 7).map((tick) => ({ at: tick, text: tickText(tick) }))
      : names.map((text, at) => ({ at, text }));
  return marks.map(({ at, text }) => nameBelow(x(at), text, marks.length)).join('') + xName(figure);
}

/** A name below the plot: aslant where several long ones stand side by side. */
export function nameBelow(x: number, text: string, count: number): string {
  const isAslant = text.length * count > 70 || (text.length > LEVEL_NAME && count > 6);
  const shown = escapeHtml(text.length > 24 ? `${text.slice(0, 23)}…` : text);
  const y = PLOT.bottom + 15;
  return isAslant
    ? `<text class="tick" x="${n(x)}" y="${y - 4}" text-anchor="end" transform="rotate(-24 ${n(x)} ${y - 4})">${shown}</text>`
    : `<text class="tick" x="${n(x)}" y="${y}" text-anchor="middle">${shown}</text>`;
}

export function frame(label: string, body: string): string {
  return `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escapeHtml(label)}">${body}</svg>`;
}

/** Every value a figure shows along an axis, ends of intervals included. */
export const yValues = (figure: ExperimentFigure): number[] =>
  figure.series.flatMap(({ points }) =>
    points.flatMap(({ y, low, high }) => [y, low ?? y, high ?? y]),
  );
