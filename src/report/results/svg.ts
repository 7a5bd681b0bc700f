import { escapeHtml } from '../html';
import type { ScenarioCharts } from './results-data';

/** Drawn as text, so that they print, need no script and follow the page's colours through classes `p0` to `p7`. */

const PLAYER_CLASSES = 8;
export const playerClass = (index: number): string => `p${index % PLAYER_CLASSES}`;

const n = (value: number): string => value.toFixed(1);

/** Round steps of 1, 2 or 5 that cut a range into at most `most` parts. */
export function niceTicks(low: number, high: number, most: number): number[] {
  const span = Math.max(high - low, 1e-9);
  const raw = span / most;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((one) => one * power).find((one) => one >= raw) ?? raw;
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) =>
    Number(((first + i) * step).toPrecision(6)),
  );
}

interface Axis {
  low: number;
  high: number;
  x: (value: number) => number;
  svg: string;
}

function axisOf(values: readonly number[], left: number, right: number, bottom: number): Axis {
  const least = Math.min(...values);
  const most = Math.max(...values);
  const pad = (most - least || Math.abs(most) || 1) * 0.05;
  // Zero belongs to the picture unless everything is far from it.
  const low = least >= 0 && least < most * 0.5 ? 0 : least - pad;
  const high = most + pad;
  const x = (value: number): number => left + ((value - low) / (high - low)) * (right - left);
  const ticks = niceTicks(low, high, 5).map(
    (tick) =>
      `<line class="grid" x1="${n(x(tick))}" x2="${n(x(tick))}" y1="8" y2="${bottom}"/>` +
      `<text class="tick" x="${n(x(tick))}" y="${bottom + 14}" text-anchor="middle">${String(tick)}</text>`,
  );
  return { low, high, x, svg: ticks.join('') };
}

/** Every trial as a dot, a row per player, with mean and 95 % interval. */
export function dotPlot({ label, unit, rows }: ScenarioCharts['dots'][number]): string {
  const width = 520;
  const rowHeight = 30;
  const left = 150;
  const bottom = 12 + rows.length * rowHeight;
  const values = rows.flatMap((row) => [...row.values, row.low ?? NaN, row.high ?? NaN]);
  const axis = axisOf(
    values.filter((value) => Number.isFinite(value)),
    left,
    width - 14,
    bottom,
  );
  const title = unit === '' ? label : `${label}, ${unit}`;
  const body = rows.map((row, i) => {
    const y = 12 + (i + 0.5) * rowHeight;
    const dots = row.values.map((value, k) => {
      // Spread a little, in an order that looks like none, so that equal values stay apart.
      const up = (((k * 5) % 7) - 3) * 2.2;
      return `<circle class="dot" cx="${n(axis.x(value))}" cy="${n(y + up)}" r="3"/>`;
    });
    const interval =
      row.low === null || row.high === null
        ? ''
        : `<line class="interval" x1="${n(axis.x(row.low))}" x2="${n(axis.x(row.high))}" y1="${n(y)}" y2="${n(y)}"/>`;
    const mean =
      row.mean === null
        ? ''
        : `<line class="mean" x1="${n(axis.x(row.mean))}" x2="${n(axis.x(row.mean))}" y1="${n(y - 10)}" y2="${n(y + 10)}"/>`;
    const text = `${row.player}: ${row.values.length} trials${row.mean === null ? '' : `, mean ${row.mean.toPrecision(4)} ${unit}`}`;
    return `<g class="${playerClass(i)}"><title>${escapeHtml(text)}</title><text class="row" x="${left - 10}" y="${n(y + 4)}" text-anchor="end">${escapeHtml(shorten(row.player))}</text>${dots.join('')}${interval}${mean}</g>`;
  });
  return figure(title, width, bottom + 20, `${axis.svg}${body.join('')}`);
}

const shorten = (text: string): string => (text.length > 22 ? `${text.slice(0, 21)}…` : text);

function figure(title: string, width: number, height: number, body: string): string {
  return `<figure><figcaption>${escapeHtml(title)}</figcaption><svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeHtml(title)}">${body}</svg></figure>`;
}

/** Distribution functions, a line per player; the last per cent is left out of the axis. */
export function cdfPlot(
  { label, unit, distributions }: ScenarioCharts['cdfs'][number],
  players: readonly string[],
): string {
  const width = 520;
  const height = 250;
  const [left, right, top, bottom] = [44, width - 14, 10, height - 22];
  const shown = distributions.flatMap(({ quantiles }) => quantiles.slice(0, -1));
  const axis = axisOf([0, ...shown], left, right, bottom);
  const y = (share: number): number => bottom - share * (bottom - top);
  const shares = [0, 0.25, 0.5, 0.75, 1].map(
    (share) =>
      `<line class="grid" x1="${left}" x2="${right}" y1="${n(y(share))}" y2="${n(y(share))}"/>` +
      `<text class="tick" x="${left - 6}" y="${n(y(share) + 4)}" text-anchor="end">${share * 100} %</text>`,
  );
  const lines = distributions.map(({ player, quantiles, count }) => {
    const points = quantiles
      .map((value, percent) => ({ value, percent }))
      .filter(({ value }) => value <= axis.high)
      .map(({ value, percent }) => `${n(axis.x(value))},${n(y(percent / 100))}`);
    const index = players.indexOf(player);
    const text = `${player}: ${count} values, median ${String(quantiles[50] ?? '')} ${unit}`;
    return `<polyline class="line ${playerClass(index)}" points="${points.join(' ')}"><title>${escapeHtml(text)}</title></polyline>`;
  });
  return figure(
    `${label}, ${unit}`,
    width,
    height,
    `${axis.svg}${shares.join('')}${lines.join('')}`,
  );
}

/** The players' colours and line styles by name. */
export function playerLegend(players: readonly string[]): string {
  const items = players.map(
    (player, i) =>
      `<li><svg viewBox="0 0 26 10" width="26" height="10" aria-hidden="true"><polyline class="line ${playerClass(i)}" points="0,5 26,5"/></svg>${escapeHtml(player)}</li>`,
  );
  return `<ul class="players">${items.join('')}</ul>`;
}

/** What a player reached, on a scale of what could have been had: all paths, best single path. */
export function optimumBars(
  rows: readonly { player: string; qoe: number; optimum: number; single: number | null }[],
): string {
  const width = 1080;
  const left = 170;
  const rowHeight = 34;
  const bottom = 12 + rows.length * rowHeight;
  const all = rows.flatMap((row) => [0, row.qoe, row.optimum, row.single ?? 0]);
  const axis = axisOf([...all, Math.max(...all)], left, width - 90, bottom);
  const zero = axis.x(0);
  const body = rows.map((row, i) => {
    const y = 12 + i * rowHeight;
    const from = Math.min(zero, axis.x(row.qoe));
    const share = row.optimum > 0 ? `${((row.qoe / row.optimum) * 100).toFixed(0)} %` : '–';
    const single =
      row.single === null
        ? ''
        : `<line class="single" x1="${n(axis.x(row.single))}" x2="${n(axis.x(row.single))}" y1="${y + 3}" y2="${y + rowHeight - 5}"/>`;
    return (
      `<g class="${playerClass(i)}"><title>${escapeHtml(`${row.player}: ${row.qoe.toFixed(2)} of ${row.optimum.toFixed(2)} Mbit/s per segment`)}</title>` +
      `<text class="row" x="${left - 10}" y="${y + 21}" text-anchor="end">${escapeHtml(shorten(row.player))}</text>` +
      `<rect class="room" x="${n(zero)}" y="${y + 6}" width="${n(Math.max(0, axis.x(row.optimum) - zero))}" height="${rowHeight - 14}"/>` +
      `<rect class="bar" x="${n(from)}" y="${y + 6}" width="${n(Math.abs(axis.x(row.qoe) - zero))}" height="${rowHeight - 14}"/>${single}` +
      `<text class="row" x="${n(Math.max(axis.x(row.optimum), axis.x(row.qoe)) + 8)}" y="${y + 21}">${share}</text></g>`
    );
  });
  return figure(
    'Linear QoE per segment, Mbit/s: bar, the player; frame, the optimum of all paths; dashed line, of the best single path',
    width,
    bottom + 20,
    `${axis.svg}${body.join('')}`,
  );
}
