import 'uplot/dist/uPlot.min.css';
import './report.css';
import { DATA_ELEMENT_ID, type RunData } from '../report-data';
import { RESULTS_ELEMENT_ID, type ScenarioCharts } from '../results/results-data';
import { areaCharts, drawArea, drawRates, type ChartSize } from './charts';
import { TrialComparison } from './compare';
import { drawRequests } from './requests';

type Draw = (target: HTMLElement, run: RunData, size: ChartSize, syncKey: string) => uPlot;

const drawers: Record<string, Draw> = {
  rates: drawRates,
  buffer: drawArea(areaCharts.buffer),
  latency: drawArea(areaCharts.latency),
  requests: drawRequests,
  'out-of-order': drawArea(areaCharts.outOfOrder),
};
const heights: Record<string, number> = { rates: 300, requests: 320 };
const DEFAULT_HEIGHT = 160;

// The page's own renderer wrote this element, so it is as trustworthy as this script.
const text = document.getElementById(DATA_ELEMENT_ID)?.textContent ?? '[]';
const runs = JSON.parse(text) as RunData[];
const resultsText = document.getElementById(RESULTS_ELEMENT_ID)?.textContent ?? '[]';
const scenarios = JSON.parse(resultsText) as Pick<ScenarioCharts, 'trials'>[];

function drawAll(): uPlot[] {
  const plots: uPlot[] = [];
  for (const target of document.querySelectorAll<HTMLElement>('.chart')) {
    const index = Number(target.dataset['run']);
    const kind = target.dataset['chart'] ?? '';
    const run = runs[index];
    const draw = drawers[kind];
    if (!run || !draw) continue;
    target.replaceChildren();
    const size = { width: target.clientWidth, height: heights[kind] ?? DEFAULT_HEIGHT };
    plots.push(draw(target, run, size, `run-${index}`));
  }
  return plots;
}

let plots = drawAll();
const comparisons = [...document.querySelectorAll<HTMLElement>('.compare')].flatMap((target) => {
  const trials = scenarios[Number(target.dataset['scenario'])]?.trials ?? [];
  const key = `scenario-${target.dataset['scenario'] ?? ''}`;
  return trials.length > 0 ? [new TrialComparison(target, trials, key)] : [];
});
let drawnWidth = document.body.clientWidth;

function redraw(): void {
  for (const plot of plots) plot.destroy();
  plots = drawAll();
  for (const comparison of comparisons) comparison.draw();
  drawnWidth = document.body.clientWidth;
}

matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redraw);
new ResizeObserver(() => {
  if (document.body.clientWidth !== drawnWidth) redraw();
}).observe(document.body);
