import { scaleLinear, type ScaleLinear } from 'd3-scale';
import { area, curveLinear, curveStepAfter, line } from 'd3-shape';
import { escapeHtml } from './html';

/**
 * The parts of figures as SVG text, so that they print, need no script and follow the page's colours through classes
 * `p0` to `p7`. d3 computes scales, ticks and curves.
 */

/** Colours in the style sheet; more players repeat them. */
const PLAYER_CLASSES = 8;
export const playerClass = (index: number): string => `p${index % PLAYER_CLASSES}`;

/** A coordinate of SVG, in pixels. */
export const n = (value: number): string => value.toFixed(1);

export type Scale = ScaleLinear<number, number>;
type Range = readonly [low: number, high: number];

/** Position of a value between two ends; outside values are clamped. */
export const scaleOf = (domain: Range, start: number, end: number): Scale =>
  scaleLinear(domain, [start, end]).clamp(true);

const tickText = (tick: number): string => String(Number(tick.toPrecision(6)));

export const ticksOf = (scale: Scale, count: number): { at: number; text: string }[] =>
  scale.ticks(count).map((tick) => ({ at: scale(tick), text: tickText(tick) }));

export function lineOf(cls: string, [x1, y1]: Range, [x2, y2]: Range): string {
  return `<line class="${cls}" x1="${n(x1)}" x2="${n(x2)}" y1="${n(y1)}" y2="${n(y2)}"/>`;
}

export function textOf(cls: string, [x, y]: Range, text: string, anchor = 'middle'): string {
  return `<text class="${cls}" x="${n(x)}" y="${n(y)}" text-anchor="${anchor}">${escapeHtml(text)}</text>`;
}

interface Plot {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** Vertical grid lines with their numbers below. */
export const xGrid = (scale: Scale, count: number, { top, bottom }: Plot): string =>
  ticksOf(scale, count)
    .map(
      ({ at, text }) =>
        lineOf('grid', [at, top], [at, bottom]) + textOf('tick', [at, bottom + 14], text),
    )
    .join('');

/** Horizontal grid lines with their numbers to the left. */
export const yGrid = (scale: Scale, count: number, { left, right }: Plot, unit = ''): string =>
  ticksOf(scale, count)
    .map(
      ({ at, text }) =>
        lineOf('grid', [left, at], [right, at]) +
        textOf('tick', [left - 6, at + 4], `${text}${unit}`, 'end'),
    )
    .join('');

type Point = readonly [x: number, y: number];

/** A curve as the value of `d`. A step holds its value until the next one. */
export const curveOf = (points: readonly Point[], isStep = false): string =>
  line<Point>()
    .curve(isStep ? curveStepAfter : curveLinear)
    .digits(1)([...points]) ?? '';

/** The area between two curves over the same places, as the value of `d`. */
export function bandOf(points: readonly { x: number; low: number; high: number }[]): string {
  const band = area<(typeof points)[number]>()
    .x(({ x }) => x)
    .y0(({ low }) => low)
    .y1(({ high }) => high)
    .digits(1);
  return band([...points]) ?? '';
}

export const dotAt = ([x, y]: Point): string =>
  `<circle class="dot" cx="${n(x)}" cy="${n(y)}" r="3"/>`;

/** A dot for each value; `spread` keeps equal values apart, in a fixed irregular order. */
export const dotsOf = (
  values: readonly number[],
  spread: number,
  place: (value: number, offset: number) => Point,
): string =>
  values.map((value, index) => dotAt(place(value, (((index * 5) % 7) - 3) * spread))).join('');

export const groupOf = (style: string, title: string, body: string): string =>
  `<g class="${style}"><title>${escapeHtml(title)}</title>${body}</g>`;

export const pictureOf = (width: number, height: number, label: string, body: string): string =>
  `<svg viewBox="0 0 ${width} ${n(height)}" role="img" aria-label="${escapeHtml(label)}">${body}</svg>`;

/** Colours and line styles by name. */
export function legendOf(entries: readonly { name: string; style: string }[]): string {
  const items = entries.map(
    ({ name, style }) =>
      `<li><svg viewBox="0 0 26 10" width="26" height="10" aria-hidden="true"><path class="line ${style}" d="M0,5L26,5"/></svg>${escapeHtml(name)}</li>`,
  );
  return `<ul class="players">${items.join('')}</ul>`;
}

/** The players' colours and line styles by name. */
export const playerLegend = (players: readonly string[]): string =>
  legendOf(players.map((name, index) => ({ name, style: playerClass(index) })));
