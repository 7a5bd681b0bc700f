import { escapeHtml } from '../html';
import { playerClass } from '../results/svg';
import { frame, n, namesBelow, PLOT, rangeOf, scaleOf, xMarks, yAxis, yValues } from './axes';
import { cellText } from './text';
import type { ExperimentFigure, ExperimentSeries } from './types';

type Point = ExperimentSeries['points'][number];

/** More points than this are a curve without dots. */
const MOST_DOTS = 40;

const known = (points: readonly Point[]): Point[] =>
  points.filter(({ x, y }) => Number.isFinite(x) && Number.isFinite(y));

/** A figure as SVG text: it prints, needs no script and follows the page's colours. */
export function experimentFigure(figure: ExperimentFigure): string {
  return figure.kind === 'bars' ? bars(figure) : curves(figure);
}

function pathOf(
  kind: ExperimentFigure['kind'],
  points: readonly Point[],
  x: (value: number) => number,
  y: (value: number) => number,
): string {
  const [first, ...rest] = points;
  if (first === undefined) return '';
  const begin = `M${n(x(first.x))} ${n(y(first.y))}`;
  // A step holds its value until the next one.
  const next = (point: Point): string =>
    kind === 'steps' ? `H${n(x(point.x))}V${n(y(point.y))}` : `L${n(x(point.x))} ${n(y(point.y))}`;
  return `${begin}${rest.map(next).join('')}`;
}

function curves(figure: ExperimentFigure): string {
  const all = figure.series.flatMap(({ points }) => known(points));
  const xs = all.map((point) => point.x);
  const { names } = figure.x;
  const xRange =
    names === undefined ? rangeOf(xs) : { low: -0.4, high: Math.max(names.length - 0.6, 0.4) };
  const yRange = rangeOf(yValues(figure), figure.y.from);
  const x = scaleOf(xRange, PLOT.left, PLOT.right);
  const y = scaleOf(yRange, PLOT.bottom, PLOT.top);
  const lines = figure.series.map(({ label, points }, index) => {
    const shown = known(points);
    const banded = shown.filter((one) => one.low !== undefined && one.high !== undefined);
    const edge = [
      ...banded.map((one) => `${n(x(one.x))},${n(y(one.high ?? one.y))}`),
      ...[...banded].reverse().map((one) => `${n(x(one.x))},${n(y(one.low ?? one.y))}`),
    ];
    const band = banded.length > 1 ? `<polygon class="band" points="${edge.join(' ')}"/>` : '';
    const dots =
      figure.kind === 'lines' && shown.length <= MOST_DOTS
        ? shown.map((one) => `<circle class="dot" cx="${n(x(one.x))}" cy="${n(y(one.y))}" r="3"/>`)
        : [];
    return (
      `<g class="${playerClass(index)}"><title>${escapeHtml(label)}</title>${band}${dots.join('')}</g>` +
      `<path class="line ${playerClass(index)}" d="${pathOf(figure.kind, shown, x, y)}"><title>${escapeHtml(label)}</title></path>`
    );
  });
  return frame(figure, xMarks(figure, xRange), `${yAxis(yRange, figure.y)}${lines.join('')}`);
}

function bars(figure: ExperimentFigure): string {
  const { names } = figure.x;
  const places = [...new Set(figure.series.flatMap(({ points }) => known(points).map((p) => p.x)))];
  places.sort((a, b) => a - b);
  const range = rangeOf([...yValues(figure), figure.y.from ?? 0], figure.y.from);
  const y = scaleOf(range, PLOT.bottom, PLOT.top);
  const step = (PLOT.right - PLOT.left) / Math.max(places.length, 1);
  const width = (step * 0.8) / Math.max(figure.series.length, 1);
  const zero = y(0);
  const groups = figure.series.map(({ label, points }, index) => {
    const marks = known(points).map((point) => {
      const left =
        PLOT.left + (places.indexOf(point.x) + 0.1) * step + index * width + width * 0.06;
      const middle = left + width * 0.44;
      const place = names?.[point.x] ?? String(point.x);
      const interval =
        point.low === undefined || point.high === undefined
          ? ''
          : `<line class="whisker" x1="${n(middle)}" x2="${n(middle)}" y1="${n(y(point.low))}" y2="${n(y(point.high))}"/>`;
      const text = `${label}, ${place}: ${cellText({ count: 1, mean: point.y, low: point.low ?? null, high: point.high ?? null })}`;
      return (
        `<g class="${playerClass(index)}"><title>${escapeHtml(text)}</title>` +
        `<rect class="bar" x="${n(left)}" y="${n(Math.min(zero, y(point.y)))}" width="${n(width * 0.88)}" height="${n(Math.abs(y(point.y) - zero))}"/>${interval}</g>`
      );
    });
    return marks.join('');
  });
  const below = namesBelow(
    places.map((place, index) => ({
      x: PLOT.left + (index + 0.5) * step,
      text: names?.[place] ?? String(place),
    })),
    step,
  );
  return frame(figure, below, `${yAxis(range, figure.y)}${groups.join('')}`);
}
