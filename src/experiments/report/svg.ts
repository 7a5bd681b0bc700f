import { bandOf, curveOf, dotAt, groupOf, lineOf, n, playerClass, scaleOf } from '../../report';
import { frame, namesBelow, PLOT, rangeOf, xMarks, yAxis, yValues } from './axes';
import { cellText } from './text';
import type { ExperimentFigure, ExperimentSeries } from './types';

type Point = ExperimentSeries['points'][number];

/** A curve with more points has no dots. */
const MAX_DOTS = 40;

const known = (points: readonly Point[]): Point[] =>
  points.filter(({ x, y }) => Number.isFinite(x) && Number.isFinite(y));

/** A figure as SVG text: it prints, needs no script and follows the page's colours. */
export function experimentFigure(figure: ExperimentFigure): string {
  return figure.kind === 'bars' ? bars(figure) : curves(figure);
}

function curves(figure: ExperimentFigure): string {
  const all = figure.series.flatMap(({ points }) => known(points));
  const xs = all.map((point) => point.x);
  const { names } = figure.x;
  const xRange =
    names === undefined ? rangeOf(xs) : ([-0.4, Math.max(names.length - 0.6, 0.4)] as const);
  const yRange = rangeOf(yValues(figure), figure.y.from);
  const x = scaleOf(xRange, PLOT.left, PLOT.right);
  const y = scaleOf(yRange, PLOT.bottom, PLOT.top);
  const lines = figure.series.map(({ label, points }, index) => {
    const shown = known(points);
    const edges = shown.flatMap((one) =>
      one.low === undefined || one.high === undefined
        ? []
        : [{ x: x(one.x), low: y(one.low), high: y(one.high) }],
    );
    const band = edges.length > 1 ? `<path class="band" d="${bandOf(edges)}"/>` : '';
    const places = shown.map((one) => [x(one.x), y(one.y)] as const);
    const dots =
      figure.kind === 'lines' && shown.length <= MAX_DOTS ? places.map(dotAt).join('') : '';
    const path = `<path class="line" d="${curveOf(places, figure.kind === 'steps')}"/>`;
    return groupOf(playerClass(index), label, `${band}${dots}${path}`);
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
          : lineOf('whisker', [middle, y(point.low)], [middle, y(point.high)]);
      const text = `${label}, ${place}: ${cellText({ count: 1, mean: point.y, low: point.low ?? null, high: point.high ?? null })}`;
      return groupOf(
        playerClass(index),
        text,
        `<rect class="bar" x="${n(left)}" y="${n(Math.min(zero, y(point.y)))}" width="${n(width * 0.88)}" height="${n(Math.abs(y(point.y) - zero))}"/>${interval}`,
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
