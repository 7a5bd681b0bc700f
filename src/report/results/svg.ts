import { formatShare } from '../../core';
import { escapeHtml } from '../html';
import {
  curveOf,
  dotsOf,
  groupOf,
  lineOf,
  n,
  pictureOf,
  playerClass,
  type Scale,
  scaleOf,
  textOf,
  xGrid,
  yGrid,
} from '../plot';
import type { ScenarioCharts } from './results-data';

const WIDTH = 520;
const X_TICKS = 5;

/** The axis includes zero unless all values are far from it. It shows nothing below zero unless a value is there. */
function axisOf(values: readonly number[], left: number, right: number): Scale {
  const least = Math.min(...values);
  const most = Math.max(...values);
  const pad = (most - least || Math.abs(most)) * 0.05;
  const isNearZero = least >= 0 && least <= most * 0.5;
  const low = isNearZero ? 0 : least >= 0 ? Math.max(0, least - pad) : least - pad;
  // All values are zero: the axis has one unit. A rounding error must not stretch it to both sides.
  return scaleOf([low, least === 0 && most === 0 ? 1 : most + pad], left, right);
}

const shorten = (text: string): string => (text.length > 22 ? `${text.slice(0, 21)}…` : text);

const figure = (title: string, width: number, height: number, body: string): string =>
  `<figure><figcaption>${escapeHtml(title)}</figcaption>${pictureOf(width, height, title, body)}</figure>`;

/** A dot per trial (or whatever `each` is), a row per player, with mean and 95 % interval. */
export function dotPlot(
  { label, unit, rows }: ScenarioCharts['dots'][number],
  each = 'trials',
): string {
  const rowHeight = 30;
  const plot = { left: 150, right: WIDTH - 14, top: 8, bottom: 12 + rows.length * rowHeight };
  const values = rows.flatMap((row) => [...row.values, row.low ?? NaN, row.high ?? NaN]);
  const x = axisOf(values.filter(Number.isFinite), plot.left, plot.right);
  const body = rows.map((row, i) => {
    const y = 12 + (i + 0.5) * rowHeight;
    const interval =
      row.low === null || row.high === null
        ? ''
        : lineOf('interval', [x(row.low), y], [x(row.high), y]);
    const mean =
      row.mean === null ? '' : lineOf('mean', [x(row.mean), y - 10], [x(row.mean), y + 10]);
    const text = `${row.player}: ${row.values.length} ${each}${row.mean === null ? '' : `, mean ${row.mean.toPrecision(4)} ${unit}`}`;
    const name = textOf('row', [plot.left - 10, y + 4], shorten(row.player), 'end');
    const dots = dotsOf(row.values, 2.2, (value, up) => [x(value), y + up]);
    return groupOf(playerClass(i), text, `${name}${dots}${interval}${mean}`);
  });
  const title = unit === '' ? label : `${label}, ${unit}`;
  return figure(title, WIDTH, plot.bottom + 20, `${xGrid(x, X_TICKS, plot)}${body.join('')}`);
}

/** Distribution functions, a line per player; the last per cent is left out of the axis. */
export function cdfPlot(
  { label, unit, distributions }: ScenarioCharts['cdfs'][number],
  players: readonly string[],
): string {
  const height = 250;
  const plot = { left: 44, right: WIDTH - 14, top: 10, bottom: height - 22 };
  const shown = distributions.flatMap(({ quantiles }) => quantiles.slice(0, -1));
  const x = axisOf([0, ...shown], plot.left, plot.right);
  const y = scaleOf([0, 100], plot.bottom, plot.top);
  const most = x.domain()[1] ?? 0;
  const lines = distributions.map(({ player, quantiles, count }) => {
    const points = quantiles
      .map((value, percent) => [value, percent] as const)
      .filter(([value]) => value <= most)
      .map(([value, percent]) => [x(value), y(percent)] as const);
    const text = `${player}: ${count} values, median ${quantiles[50] ?? ''} ${unit}`;
    return `<path class="line ${playerClass(players.indexOf(player))}" d="${curveOf(points)}"><title>${escapeHtml(text)}</title></path>`;
  });
  const grid = `${xGrid(x, X_TICKS, plot)}${yGrid(y, 4, plot, ' %')}`;
  return figure(`${label}, ${unit}`, WIDTH, height, `${grid}${lines.join('')}`);
}

/** The QoE a player reached, on a scale up to the optimum: all paths, best single path. */
export function optimumBars(
  rows: readonly { player: string; qoe: number; optimum: number; single: number | null }[],
): string {
  const width = 1080;
  const rowHeight = 34;
  const plot = { left: 170, right: width - 90, top: 8, bottom: 12 + rows.length * rowHeight };
  const all = rows.flatMap((row) => [0, row.qoe, row.optimum, row.single ?? 0]);
  const x = axisOf(all, plot.left, plot.right);
  const zero = x(0);
  const body = rows.map((row, i) => {
    const y = 12 + i * rowHeight;
    const [end, best] = [x(row.qoe), x(row.optimum)];
    const share = row.optimum > 0 ? formatShare(row.qoe / row.optimum) : '–';
    const bar = (style: string, from: number, to: number): string =>
      `<rect class="${style}" x="${n(from)}" y="${y + 6}" width="${n(Math.max(0, to - from))}" height="${rowHeight - 14}"/>`;
    const single =
      row.single === null
        ? ''
        : lineOf('single', [x(row.single), y + 3], [x(row.single), y + rowHeight - 5]);
    return groupOf(
      playerClass(i),
      `${row.player}: ${row.qoe.toFixed(2)} of ${row.optimum.toFixed(2)} Mbit/s per segment`,
      textOf('row', [plot.left - 10, y + 21], shorten(row.player), 'end') +
        bar('room', zero, best) +
        bar('bar', Math.min(zero, end), Math.max(zero, end)) +
        single +
        textOf('row', [Math.max(best, end) + 8, y + 21], share, 'start'),
    );
  });
  return figure(
    'Linear QoE per segment, Mbit/s: bar, the player; frame, the optimum of all paths; dashed line, of the best single path',
    width,
    plot.bottom + 20,
    `${xGrid(x, X_TICKS, plot)}${body.join('')}`,
  );
}
