import uPlot from 'uplot';
import type { ScenarioCharts, TrialSeries } from '../results/results-data';
import { baseOptions, type ChartSize } from './charts';
import { eventMarks, stallBands } from './overlay';
import { pathColour, themeColour } from './theme';

type Trials = ScenarioCharts['trials'];

interface Curve {
  label: string;
  unit: string;
  colour: string;
  dash?: number[];
  series: TrialSeries;
  values: readonly (number | null)[];
}

const SIDE_COLOURS = { a: '#0072B2', b: '#D55E00' };
const DOTTED = [2, 4];
const FAINT = [8, 5];

/** Two trials of a scenario over time, chosen by the reader. */
export class TrialComparison {
  #plots: uPlot[] = [];
  readonly #syncKey: string;
  readonly #trials: Trials;
  readonly #target: HTMLElement;

  constructor(target: HTMLElement, trials: Trials, syncKey: string) {
    this.#syncKey = syncKey;
    this.#trials = trials;
    this.#target = target;
    const [a, b] = firstChoice(trials);
    this.#select('a').value = String(a);
    this.#select('b').value = String(b);
    for (const side of ['a', 'b'] as const) {
      this.#select(side).addEventListener('change', () => {
        this.draw();
      });
    }
    this.draw();
  }

  draw(): void {
    for (const plot of this.#plots) plot.destroy();
    const a = this.#trials[Number(this.#select('a').value)];
    const b = this.#trials[Number(this.#select('b').value)];
    this.#plots = a && b ? this.#drawBoth(a.series, b.series) : [];
  }

  #select(side: 'a' | 'b'): HTMLSelectElement {
    const found = this.#target.querySelector<HTMLSelectElement>(`select[data-side=${side}]`);
    if (!found) throw new Error(`the page has no choice of trial ${side}`);
    return found;
  }

  #drawBoth(a: TrialSeries, b: TrialSeries): uPlot[] {
    const sides = [
      { name: 'A', series: a, colour: SIDE_COLOURS.a, dash: undefined },
      { name: 'B', series: b, colour: SIDE_COLOURS.b, dash: DOTTED },
    ];
    const of = (
      label: string,
      unit: string,
      pick: (series: TrialSeries) => readonly (number | null)[],
    ): Curve[] =>
      sides.map(({ name, series, colour, dash }) => ({
        label: `${name} ${label}`,
        unit,
        colour,
        ...(dash ? { dash } : {}),
        series,
        values: pick(series),
      }));
    const forecasts = of('forecast', 'Mbit/s', (series) => series.forecastMbps)
      .filter(({ values }) => values.some((value) => value !== null))
      .map((curve) => ({ ...curve, dash: FAINT, colour: `${curve.colour}80` }));
    const paths = (series: TrialSeries): Curve[] =>
      series.pathIds.map((id, i) => ({
        label: id,
        unit: 'Mbit/s',
        colour: pathColour(i),
        series,
        values: series.pathMbps[i] ?? [],
      }));
    const links = [...new Set([...a.queues, ...b.queues].map(({ link }) => link))];
    const queues = sides.flatMap(({ name, series, dash }) =>
      links.flatMap((link, i): Curve[] => {
        const queue = series.queues.find((one) => one.link === link);
        const style = dash ? { dash } : {};
        const label = `${name} ${link}`;
        return queue
          ? [{ label, unit: 'ms', colour: pathColour(i), series, values: queue.ms, ...style }]
          : [];
      }),
    );
    return [
      this.#plot('rung', 'Mbit/s', [...of('picture', 'Mbit/s', (s) => s.shownMbps), ...forecasts]),
      this.#plot(
        'buffer',
        'seconds',
        of('buffer', 's', (s) => s.bufferS),
      ),
      this.#plot('paths-a', 'Mbit/s', paths(a)),
      this.#plot('paths-b', 'Mbit/s', paths(b)),
      this.#plot('queue', 'ms', queues),
    ].flatMap((plot) => plot ?? []);
  }

  #plot(kind: string, axis: string, curves: readonly Curve[]): uPlot | undefined {
    const target = this.#target.querySelector<HTMLElement>(`[data-curve=${kind}]`);
    if (!target) return undefined;
    target.replaceChildren();
    if (curves.length === 0) {
      target.textContent = 'Not in the logs of these trials.';
      return undefined;
    }
    const all = curves.map(({ series }) => series);
    const binS = Math.min(...all.map((series) => series.binS));
    const endS = Math.max(...all.map((series) => series.bins * series.binS));
    const atS = Array.from({ length: Math.ceil(endS / binS) }, (_, i) => (i + 0.5) * binS);
    const size: ChartSize = { width: target.clientWidth, height: kind === 'rung' ? 240 : 170 };
    const options = baseOptions({ atS, binS }, size, this.#syncKey, axis);
    const marks = {
      stalls: all.flatMap((series) => series.stalls),
      events: [...new Set(all)].flatMap((series) => series.events),
    };
    return new uPlot(
      {
        ...options,
        scales: {
          ...options.scales,
          y: { range: (_plot, _low, high) => [0, Math.max(0.1, high) * 1.05] },
        },
        series: [{ label: 'time', value: text('s') }, ...curves.map(seriesOf)],
        plugins: [stallBands(marks), eventMarks(marks, kind === 'rung')],
      },
      [atS, ...curves.map((curve) => atS.map((second) => valueAt(curve, second)))],
      target,
    );
  }
}

const text = (unit: string) => (_plot: uPlot, value: number | null) =>
  value === null ? '–' : `${value.toFixed(2)} ${unit}`;

function seriesOf({ label, unit, colour, dash }: Curve): uPlot.Series {
  return {
    label,
    stroke: colour === '' ? themeColour('text') : colour,
    width: 2,
    points: { show: false },
    value: text(unit),
    ...(dash ? { dash } : {}),
  };
}

function valueAt({ series, values }: Curve, atS: number): number | null {
  return values[Math.floor(atS / series.binS)] ?? null;
}

/** The first player's trial of median QoE, against another player's of the same number if there is one. */
function firstChoice(trials: Trials): [a: number, b: number] {
  const player = trials[0]?.player;
  const ranked = trials
    .map((trial, index) => ({ ...trial, index }))
    .filter((trial) => trial.player === player)
    .sort((one, two) => (one.qoe ?? -Infinity) - (two.qoe ?? -Infinity));
  const a = ranked[Math.floor(ranked.length / 2)]?.index ?? 0;
  const other = trials.findIndex(
    (trial) => trial.player !== player && trial.trial === trials[a]?.trial,
  );
  return [a, other >= 0 ? other : Math.min(trials.length - 1, a + 1)];
}
