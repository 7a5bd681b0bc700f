import { escapeHtml } from '../html';
import { niceTicks } from '../results/svg';
import type { AqmCell, AqmFigure, DelaySeries } from './types';

const WIDTH = 520;
const HEIGHT = 240;
const [LEFT, RIGHT, TOP, BOTTOM] = [56, WIDTH - 12, 12, HEIGHT - 40];

const n = (value: number): string => value.toFixed(1);

interface Scale {
  y: (value: number) => number;
  svg: string;
}

/** From 0 to a little more than the largest. */
function scaleOf(largest: number): Scale {
  const high = (largest > 0 ? largest : 1) * 1.08;
  const y = (value: number): number => {
    const inside = Math.min(Math.max(value, 0), high);
    return BOTTOM - (inside / high) * (BOTTOM - TOP);
  };
  const ticks = niceTicks(0, high, 5).map(
    (tick) =>
      `<line class="grid" x1="${LEFT}" x2="${RIGHT}" y1="${n(y(tick))}" y2="${n(y(tick))}"/>` +
      `<text class="tick" x="${LEFT - 6}" y="${n(y(tick) + 4)}" text-anchor="end">${String(tick)}</text>`,
  );
  return { y, svg: ticks.join('') };
}

function frame(label: string, body: string): string {
  return `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escapeHtml(label)}">${body}</svg>`;
}

const SIDES = [
  { key: 'pie', name: 'PIE', style: 'p0' },
  { key: 'fqPie', name: 'FQ-PIE', style: 'p5' },
] as const;

/** Names the colours of both disciplines, for all figures at once. */
export function sidesLegend(): string {
  const items = SIDES.map(
    ({ name, style }) =>
      `<li><svg width="26" height="10" aria-hidden="true"><g class="${style}"><line class="interval" x1="0" x2="26" y1="5" y2="5"/></g></svg>${name}</li>`,
  );
  return `<ul class="players">${items.join('')}</ul>`;
}

function mark(cell: AqmCell, x: number, { y }: Scale): string {
  if (cell.mean === null) return '';
  const dots = cell.values.map((value, index) => {
    // Side by side, in an order that looks like none.
    const offset = (((index * 5) % 7) - 3) * 3;
    return `<circle class="dot" cx="${n(x + offset)}" cy="${n(y(value))}" r="3"/>`;
  });
  const interval =
    cell.low === null || cell.high === null
      ? ''
      : `<line class="interval" x1="${n(x)}" x2="${n(x)}" y1="${n(y(cell.low))}" y2="${n(y(cell.high))}"/>`;
  const mean = `<line class="mean" x1="${n(x - 13)}" x2="${n(x + 13)}" y1="${n(y(cell.mean))}" y2="${n(y(cell.mean))}"/>`;
  return `${dots.join('')}${interval}${mean}`;
}

/** A figure by target: each trial a dot, the mean a line, its 95 % interval a bar; what leaves the axis is cut. */
export function targetPlot({ label, unit, rows, figure }: AqmFigure): string {
  const cells = rows.flatMap(({ pie, fqPie }) => [pie, fqPie]);
  const most = Math.max(0, ...cells.flatMap(({ values }) => values));
  const edges = Math.max(0, ...cells.map(({ high }) => high ?? 0));
  const targets = figure >= 12 ? rows.map(({ targetMs }) => targetMs) : [];
  // Few trials have intervals that would flatten everything else.
  const scale = scaleOf(Math.max(most, Math.min(edges, most * 1.6), ...targets));
  const step = (RIGHT - LEFT) / Math.max(rows.length, 1);
  const body = rows.map((row, index) => {
    const middle = LEFT + (index + 0.5) * step;
    const sides = SIDES.map(({ key, name, style }, side) => {
      const cell = row[key];
      const text = `${name}, target ${String(row.targetMs)} ms: ${cell.mean?.toPrecision(4) ?? 'not measured'} ${unit}, ${String(cell.count)} trials`;
      const x = middle + (side - 0.5) * step * 0.36;
      return `<g class="${style}"><title>${escapeHtml(text)}</title>${mark(cell, x, scale)}</g>`;
    });
    const target =
      figure >= 12
        ? `<line class="single" x1="${n(middle - step * 0.4)}" x2="${n(middle + step * 0.4)}" y1="${n(scale.y(row.targetMs))}" y2="${n(scale.y(row.targetMs))}"/>`
        : '';
    return `${target}${sides.join('')}<text class="row" x="${n(middle)}" y="${BOTTOM + 18}" text-anchor="middle">target ${String(row.targetMs)} ms</text>`;
  });
  return frame(`Figure ${String(figure)}: ${label}`, `${scale.svg}${body.join('')}`);
}

const TARGET_STYLES = ['p2', 'p0', 'p5'];

/** Queue delay over time: a line per target with its 95 % interval; dashed, the targets. */
export function delayPlot(
  series: readonly DelaySeries[],
  largestMs: number,
  label: string,
): string {
  const seconds = Math.max(1, ...series.map(({ points }) => points.length));
  const scale = scaleOf(largestMs);
  const x = (second: number): number => LEFT + ((second + 0.5) / seconds) * (RIGHT - LEFT);
  const times = niceTicks(0, seconds, 6).map(
    (tick) =>
      `<text class="tick" x="${n(LEFT + (tick / seconds) * (RIGHT - LEFT))}" y="${BOTTOM + 16}" text-anchor="middle">${String(tick)} s</text>`,
  );
  const lines = series.map(({ targetMs, points }, index) => {
    const style = TARGET_STYLES[index % TARGET_STYLES.length] ?? 'p0';
    const known = points.flatMap((point, second) =>
      point.meanMs === null ? [] : [{ ...point, meanMs: point.meanMs, second }],
    );
    const path = known
      .map((one, i) => `${i === 0 ? 'M' : 'L'}${n(x(one.second))} ${n(scale.y(one.meanMs))}`)
      .join('');
    const edge = (pick: (one: (typeof known)[number]) => number | null): string[] =>
      known.map((one) => `${n(x(one.second))},${n(scale.y(pick(one) ?? one.meanMs))}`);
    const band = [...edge(({ highMs }) => highMs), ...edge(({ lowMs }) => lowMs).reverse()];
    const text = `target ${String(targetMs)} ms`;
    const name = `<text class="row name" x="${LEFT + 90 + index * 120}" y="${HEIGHT - 6}">${text}</text><line class="interval" x1="${LEFT + 62 + index * 120}" x2="${LEFT + 84 + index * 120}" y1="${HEIGHT - 10}" y2="${HEIGHT - 10}"/>`;
    const dashed = `<line class="target" x1="${LEFT}" x2="${RIGHT}" y1="${n(scale.y(targetMs))}" y2="${n(scale.y(targetMs))}"/>`;
    return `<g class="${style}"><title>${text}</title><polygon class="band" points="${band.join(' ')}"/><path class="line" d="${path}"/>${dashed}${name}</g>`;
  });
  return frame(label, `${scale.svg}${times.join('')}${lines.join('')}`);
}
