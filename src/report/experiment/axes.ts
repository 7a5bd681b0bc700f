import { escapeHtml } from '../html';
import { niceTicks } from '../results/svg';
import { withUnit } from './text';
import type { ExperimentFigure } from './types';

const WIDTH = 520;
const HEIGHT = 280;
export const PLOT = { left: 62, right: WIDTH - 14, top: 12, bottom: HEIGHT - 46 };
/** Of a letter of a name below the axis, and of a line of them. */
const LETTER = 7;
const LINE = 12;
const MOST_LINES = 3;
/** Longest part of a name that stands aslant. */
const MOST_LETTERS = 22;
const SLANT = 50;

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

/** What stands below the plot, and how much room it needs beyond a line. */
export interface Below {
  svg: string;
  extra: number;
}

/** Greedy lines of a name; undefined where they do not fit. */
function wrapped(text: string, letters: number): string[] | undefined {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const line = lines.at(-1);
    if (word.length > letters) return undefined;
    if (line !== undefined && line.length + 1 + word.length <= letters) {
      lines[lines.length - 1] = `${line} ${word}`;
    } else lines.push(word);
  }
  return lines.length <= MOST_LINES ? lines : undefined;
}

const shortened = (text: string): string =>
  text.length > MOST_LETTERS ? `${text.slice(0, MOST_LETTERS - 1)}…` : text;

/** Names below the plot: on several lines, or aslant where the places are too narrow. @param step room of each */
export function namesBelow(marks: readonly { x: number; text: string }[], step: number): Below {
  const y = PLOT.bottom + 15;
  const all = marks.map(({ text }) => wrapped(text, Math.floor(step / LETTER)));
  if (all.every((lines) => lines !== undefined)) {
    const svg = marks.map(({ x }, index) =>
      (all[index] ?? [])
        .map((line, i) => {
          const at = `x="${n(x)}" y="${n(y + i * LINE)}"`;
          return `<text class="tick" ${at} text-anchor="middle">${escapeHtml(line)}</text>`;
        })
        .join(''),
    );
    const most = Math.max(1, ...all.map((lines) => lines.length));
    return { svg: svg.join(''), extra: (most - 1) * LINE };
  }
  const svg = marks.map(({ x, text }) => {
    const turn = `rotate(-${String(SLANT)} ${n(x)} ${n(y - 5)})`;
    return `<text class="tick" x="${n(x)}" y="${n(y - 5)}" text-anchor="end" transform="${turn}">${escapeHtml(shortened(text))}</text>`;
  });
  const longest = Math.max(...marks.map(({ text }) => shortened(text).length));
  const depth = longest * LETTER * Math.sin((SLANT / 180) * Math.PI);
  return { svg: svg.join(''), extra: Math.max(0, depth - LINE) };
}

/** Numbers below the plot, or the names of 0, 1, ... */
export function xMarks(figure: ExperimentFigure, range: Range): Below {
  const x = scaleOf(range, PLOT.left, PLOT.right);
  const { names } = figure.x;
  const marks =
    names === undefined
      ? niceTicks(range.low, range.high, 7).map((at) => ({ x: x(at), text: tickText(at) }))
      : names.map((text, at) => ({ x: x(at), text }));
  return namesBelow(marks, (PLOT.right - PLOT.left) / Math.max(marks.length, 1));
}

/** The whole picture: as high as what stands below its plot needs. */
export function frame(figure: ExperimentFigure, below: Below, body: string): string {
  const height = HEIGHT + below.extra;
  const middle = (PLOT.left + PLOT.right) / 2;
  const xName = `<text class="tick" x="${n(middle)}" y="${n(height - 5)}" text-anchor="middle">${escapeHtml(withUnit(figure.x))}</text>`;
  return `<svg viewBox="0 0 ${WIDTH} ${n(height)}" role="img" aria-label="${escapeHtml(figure.title)}">${body}${below.svg}${xName}</svg>`;
}

/** Every value a figure shows along an axis, ends of intervals included. */
export const yValues = (figure: ExperimentFigure): number[] =>
  figure.series.flatMap(({ points }) =>
    points.flatMap(({ y, low, high }) => [y, low ?? y, high ?? y]),
  );
