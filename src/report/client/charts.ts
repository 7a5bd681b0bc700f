import uPlot from 'uplot';
import type { RunData } from '../report-data';
import { eventMarks, stallBands } from './overlay';
import { fade, pathColour, themeColour } from './theme';

export interface ChartSize {
  width: number;
  height: number;
}

/** Common settings of all plots of a run: time axis, size, linked cursor and zoom. */
export function baseOptions(
  run: Pick<RunData, 'atS' | 'binS'>,
  size: ChartSize,
  syncKey: string,
  yLabel: string,
): Pick<uPlot.Options, 'width' | 'height' | 'axes' | 'cursor' | 'scales' | 'legend'> {
  const text = themeColour('text');
  const grid = { stroke: themeColour('grid'), width: 1 };
  const axis = { stroke: text, grid, ticks: grid, font: '12px system-ui, sans-serif' };
  const label = { labelFont: '12px system-ui, sans-serif', labelSize: 20 };
  const endS = (run.atS.at(-1) ?? 0) + run.binS / 2;
  return {
    ...size,
    axes: [
      { ...axis, ...label, label: 'seconds since the start', size: 34 },
      { ...axis, ...label, label: yLabel, size: 52 },
    ],
    cursor: { sync: { key: syncKey }, drag: { x: true, y: false } },
    scales: { x: { time: false, range: (_plot, low, high) => zoomOrAll(low, high, endS) } },
    legend: { live: true },
  };
}

/** Without zoom uPlot passes the data's own range: then the axis covers the whole session. */
function zoomOrAll(low: number | null, high: number | null, endS: number): [number, number] {
  if (low === null || high === null) return [0, Math.max(1, endS)];
  const all = high - low >= endS * 0.9;
  return all ? [0, Math.max(1, endS)] : [low, high];
}

const digits = (count: number, unit: string) => (_plot: uPlot, value: number | null) =>
  value === null ? '–' : `${value.toFixed(count)} ${unit}`;

export function drawRates(
  target: HTMLElement,
  run: RunData,
  size: ChartSize,
  syncKey: string,
): uPlot {
  // Cumulative sums from the bottom; drawn from the top down so that every area covers those above it.
  const sums: number[][] = [];
  for (const rates of run.pathMbps) {
    const below = sums.at(-1);
    sums.push(rates.map((rate, i) => rate + (below?.[i] ?? 0)));
  }
  const stepped = uPlot.paths.stepped?.({ align: 1 });
  const order = run.pathIds.map((_, i) => i).reverse();
  const series: uPlot.Series[] = order.map((path) => ({
    label: run.pathIds[path] ?? '',
    stroke: pathColour(path),
    fill: fade(pathColour(path), 0.55),
    width: 1,
    points: { show: false },
    value: (_plot, _value, _series, at) =>
      at === null ? '–' : `${(run.pathMbps[path]?.[at] ?? 0).toFixed(2)} Mbit/s`,
  }));
  const bands: uPlot.Band[] = order.slice(1).map((_, i) => ({ series: [i + 1, i + 2] }));
  return new uPlot(
    {
      ...baseOptions(run, size, syncKey, 'Mbit/s'),
      series: [
        { label: 'time', value: digits(1, 's') },
        ...series,
        {
          label: 'bit rate on screen',
          stroke: themeColour('text'),
          width: 2,
          points: { show: false },
          value: digits(2, 'Mbit/s'),
          ...(stepped ? { paths: stepped } : {}),
        },
      ],
      bands,
      plugins: [stallBands(run), eventMarks(run, true)],
    },
    [run.atS, ...order.map((path) => sums[path] ?? []), run.shownMbps],
    target,
  );
}

/** One quantity over time, as an area from 0. */
interface AreaChart {
  /** Unit of the axis, and of the value below the cursor. */
  axis: string;
  unit: string;
  label: string;
  colour: () => string;
  values: (run: RunData) => (number | null)[];
}

export const areaCharts = {
  buffer: {
    ...{ axis: 'seconds', unit: 's', label: 'buffer' },
    colour: () => '#009E73',
    values: ({ bufferS }) => bufferS,
  },
  latency: {
    ...{ axis: 'seconds', unit: 's', label: 'latency' },
    colour: () => '#D55E00',
    values: ({ latencyS }) => latencyS,
  },
  outOfOrder: {
    ...{ axis: 'kB', unit: 'kB', label: 'out-of-order bytes' },
    colour: () => themeColour('out-of-order'),
    values: ({ outOfOrderKb }) => outOfOrderKb,
  },
} as const satisfies Record<string, AreaChart>;

export const drawArea =
  ({ axis, unit, label, colour, values }: AreaChart) =>
  (target: HTMLElement, run: RunData, size: ChartSize, syncKey: string): uPlot => {
    const options = baseOptions(run, size, syncKey, axis);
    return new uPlot(
      {
        ...options,
        scales: {
          ...options.scales,
          y: { range: (_plot, _low, high) => [0, Math.max(1, high) * 1.05] },
        },
        series: [
          { label: 'time', value: digits(1, 's') },
          {
            label,
            stroke: colour(),
            fill: fade(colour(), 0.3),
            width: 1.5,
            points: { show: false },
            value: digits(1, unit),
          },
        ],
        plugins: [stallBands(run), eventMarks(run, false)],
      },
      [run.atS, values(run)],
      target,
    );
  };
