import uPlot from 'uplot';
import type { RunData } from '../report-data';
import { eventMarks, stallBands } from './overlay';
import { fade, pathColour, themeColour } from './theme';

export interface ChartSize {
  width: number;
  height: number;
}

/** What all plots of a run share: time axis, size, linked cursor and zoom. */
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

/** uPlot hands the data's own range when nothing is zoomed: then show the session from 0 to its end. */
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
  // Sums from the bottom; drawn from the top down so that every area covers what is above it.
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

export function drawBuffer(
  target: HTMLElement,
  run: RunData,
  size: ChartSize,
  syncKey: string,
): uPlot {
  return area(target, run, size, syncKey, {
    axis: 'seconds',
    label: 'buffer',
    unit: 's',
    colour: '#009E73',
    values: run.bufferS,
  });
}

export function drawHeld(
  target: HTMLElement,
  run: RunData,
  size: ChartSize,
  syncKey: string,
): uPlot {
  return area(target, run, size, syncKey, {
    axis: 'kB',
    label: 'held bytes',
    unit: 'kB',
    colour: themeColour('held'),
    values: run.heldKb,
  });
}

function area(
  target: HTMLElement,
  run: RunData,
  size: ChartSize,
  syncKey: string,
  one: {
    axis: string;
    label: string;
    unit: string;
    colour: string;
    values: (number | null)[];
  },
): uPlot {
  const options = baseOptions(run, size, syncKey, one.axis);
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
          label: one.label,
          stroke: one.colour,
          fill: fade(one.colour, 0.3),
          width: 1.5,
          points: { show: false },
          value: digits(1, one.unit),
        },
      ],
      plugins: [stallBands(run), eventMarks(run, false)],
    },
    [run.atS, one.values],
    target,
  );
}
