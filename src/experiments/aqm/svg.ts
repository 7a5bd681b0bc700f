import {
  bandOf,
  curveOf,
  dotsOf,
  groupOf,
  legendOf,
  lineOf,
  pictureOf,
  type Scale,
  scaleOf,
  textOf,
  ticksOf,
  yGrid,
} from '../../report';
import type { AqmCell, AqmFigure, DelaySeries } from './types';

const WIDTH = 520;
const HEIGHT = 240;
const PLOT = { left: 56, right: WIDTH - 12, top: 12, bottom: HEIGHT - 40 };

/** From 0 to slightly above the maximum. */
const yScale = (largest: number): Scale =>
  scaleOf([0, (largest > 0 ? largest : 1) * 1.08], PLOT.bottom, PLOT.top);

const frame = (label: string, y: Scale, body: string): string =>
  pictureOf(WIDTH, HEIGHT, label, `${yGrid(y, 5, PLOT)}${body}`);

const SIDES = [
  { key: 'pie', name: 'PIE', style: 'p0' },
  { key: 'fqPie', name: 'FQ-PIE', style: 'p5' },
] as const;

/** A legend of both disciplines, for all figures. */
export const sidesLegend = (): string => legendOf(SIDES);

function mark({ mean, low, high, values }: AqmCell, x: number, y: Scale): string {
  if (mean === null) return '';
  const interval =
    low === null || high === null ? '' : lineOf('interval', [x, y(low)], [x, y(high)]);
  const dots = dotsOf(values, 3, (value, right) => [x + right, y(value)]);
  return `${dots}${interval}${lineOf('mean', [x - 13, y(mean)], [x + 13, y(mean)])}`;
}

/**
 * A figure by target: a dot per trial, a line for the mean, a bar for its 95 % interval; values outside the
 * axis are cut.
 */
export function targetPlot({ label, unit, rows, figure }: AqmFigure): string {
  const cells = rows.flatMap(({ pie, fqPie }) => [pie, fqPie]);
  const most = Math.max(0, ...cells.flatMap(({ values }) => values));
  const edges = Math.max(0, ...cells.map(({ high }) => high ?? 0));
  const isDelay = figure >= 12;
  const targets = isDelay ? rows.map(({ targetMs }) => targetMs) : [];
  // Intervals of few trials would flatten the rest.
  const y = yScale(Math.max(most, Math.min(edges, most * 1.6), ...targets));
  const step = (PLOT.right - PLOT.left) / Math.max(rows.length, 1);
  const body = rows.map((row, index) => {
    const middle = PLOT.left + (index + 0.5) * step;
    const target = `target ${row.targetMs} ms`;
    const sides = SIDES.map(({ key, name, style }, side) => {
      const cell = row[key];
      const text = `${name}, ${target}: ${cell.mean?.toPrecision(4) ?? 'not measured'} ${unit}, ${cell.count} trials`;
      return groupOf(style, text, mark(cell, middle + (side - 0.5) * step * 0.36, y));
    });
    const at = y(row.targetMs);
    const aim = isDelay
      ? lineOf('single', [middle - step * 0.4, at], [middle + step * 0.4, at])
      : '';
    return `${aim}${sides.join('')}${textOf('row', [middle, PLOT.bottom + 18], target)}`;
  });
  return frame(`Figure ${figure}: ${label}`, y, body.join(''));
}

const TARGET_STYLES = ['p2', 'p0', 'p5'];

/** Queue delay over time: a line per target with its 95 % interval; dashed, the targets. */
export function delayPlot(
  series: readonly DelaySeries[],
  largestMs: number,
  label: string,
): string {
  const seconds = Math.max(1, ...series.map(({ points }) => points.length));
  const y = yScale(largestMs);
  const x = scaleOf([0, seconds], PLOT.left, PLOT.right);
  const times = ticksOf(x, 6).map(({ at, text }) =>
    textOf('tick', [at, PLOT.bottom + 16], `${text} s`),
  );
  const lines = series.map(({ targetMs, points }, index) => {
    const known = points.flatMap(({ meanMs, lowMs, highMs }, second) =>
      meanMs === null
        ? []
        : [
            {
              x: x(second + 0.5),
              y: y(meanMs),
              low: y(lowMs ?? meanMs),
              high: y(highMs ?? meanMs),
            },
          ],
    );
    const text = `target ${targetMs} ms`;
    const nameAt = PLOT.left + 90 + index * 120;
    return groupOf(
      TARGET_STYLES[index % TARGET_STYLES.length] ?? 'p0',
      text,
      `<path class="band" d="${bandOf(known)}"/>` +
        `<path class="line" d="${curveOf(known.map((one) => [one.x, one.y]))}"/>` +
        lineOf('target', [PLOT.left, y(targetMs)], [PLOT.right, y(targetMs)]) +
        textOf('row name', [nameAt, HEIGHT - 6], text, 'start') +
        lineOf('interval', [nameAt - 28, HEIGHT - 10], [nameAt - 6, HEIGHT - 10]),
    );
  });
  return frame(label, y, `${times.join('')}${lines.join('')}`);
}
