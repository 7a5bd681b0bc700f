import { escapeHtml, n, pictureOf, scaleOf, textOf, ticksOf, wrapped, yGrid } from '../../report';
import { withUnit } from './text';
import type { ExperimentFigure } from './types';

const WIDTH = 520;
const HEIGHT = 280;
export const PLOT = { left: 62, right: WIDTH - 14, top: 12, bottom: HEIGHT - 46 };
/** Width of a letter of a name below the axis, and height of a line. */
const LETTER = 7;
const LINE = 12;
const MAX_LINES = 3;
/** Longest part of a rotated name. */
const MAX_LETTERS = 22;
const SLANT = 50;

type Range = readonly [low: number, high: number];

/** The axis for some values: it includes zero unless all values are far from it; `from` overrides its start. */
export function rangeOf(values: readonly number[], from?: number): Range {
  const known = values.filter((value) => Number.isFinite(value));
  if (known.length === 0) return [from ?? 0, (from ?? 0) + 1];
  const least = known.reduce((a, b) => Math.min(a, b));
  const most = known.reduce((a, b) => Math.max(a, b));
  const pad = (most - least || Math.abs(most) || 1) * 0.06;
  const isNearZero = least >= 0 && least <= most * 0.5;
  const low = from ?? (isNearZero || least === 0 ? 0 : least - pad);
  return [low, Math.max(most + pad, low + 1e-9)];
}

/** Grid lines, their numbers and the axis's name. */
export function yAxis(range: Range, label: { label: string; unit?: string }): string {
  const y = scaleOf(range, PLOT.bottom, PLOT.top);
  const middle = n((PLOT.top + PLOT.bottom) / 2);
  const name = `<text class="tick" x="13" y="${middle}" text-anchor="middle" transform="rotate(-90 13 ${middle})">${escapeHtml(withUnit(label))}</text>`;
  return `${yGrid(y, 6, PLOT)}${name}`;
}

/** Labels below the plot, and the extra height they need. */
export interface Below {
  svg: string;
  extra: number;
}

/** A name in lines; undefined if it does not fit. */
function linesOf(text: string, letters: number): string[] | undefined {
  const lines = wrapped(text, letters);
  const fits = lines.length <= MAX_LINES && lines.every((line) => line.length <= letters);
  return fits ? lines : undefined;
}

const shortened = (text: string): string =>
  text.length > MAX_LETTERS ? `${text.slice(0, MAX_LETTERS - 1)}…` : text;

/**
 * Names below the plot: on several lines, or rotated if the places are too narrow.
 * @param step width of each place
 */
export function namesBelow(marks: readonly { x: number; text: string }[], step: number): Below {
  const y = PLOT.bottom + 15;
  const all = marks.map(({ text }) => linesOf(text, Math.floor(step / LETTER)));
  if (all.every((lines) => lines !== undefined)) {
    const svg = marks.map(({ x }, index) =>
      (all[index] ?? []).map((line, i) => textOf('tick', [x, y + i * LINE], line)).join(''),
    );
    const most = Math.max(1, ...all.map((lines) => lines.length));
    return { svg: svg.join(''), extra: (most - 1) * LINE };
  }
  const svg = marks.map(({ x, text }) => {
    const turn = `rotate(-${SLANT} ${n(x)} ${n(y - 5)})`;
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
      ? ticksOf(x, 7).map(({ at, text }) => ({ x: at, text }))
      : names.map((text, at) => ({ x: x(at), text }));
  return namesBelow(marks, (PLOT.right - PLOT.left) / Math.max(marks.length, 1));
}

/** The whole picture, with the height that the labels below need. */
export function frame(figure: ExperimentFigure, below: Below, body: string): string {
  const height = HEIGHT + below.extra;
  const xName = textOf('tick', [(PLOT.left + PLOT.right) / 2, height - 5], withUnit(figure.x));
  return pictureOf(WIDTH, height, figure.title, `${body}${below.svg}${xName}`);
}

/** Every value of a figure along an axis, including interval ends. */
export const yValues = (figure: ExperimentFigure): number[] =>
  figure.series.flatMap(({ points }) =>
    points.flatMap(({ y, low, high }) => [y, low ?? y, high ?? y]),
  );
