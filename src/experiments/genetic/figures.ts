import { estimate } from '../../report';
import type { ExperimentFigure, ExperimentSeries } from '../types';
import { APPROACH_TITLES, APPROACHES } from './approaches';
import type { ClientCount } from './link-values';
import { BUFFER_BYTES, DEFAULT_CLIENT, CLIENT_SIDE_TOPOLOGY, SCHEDULERS } from './plan';
import { METRICS, type GeneticResults, type RunMetric, type RunFilter } from './results';
import { TOPOLOGY_NAMES, TOPOLOGY_TITLES } from './switch-graph';

const SELECTING = APPROACHES.filter((approach) => approach !== 'none');
const LETTERS = ['a', 'b', 'c'];

/** Figs. 4 to 6: the approaches by number of clients, for each topology. */
export function pathFigures(
  results: GeneticResults,
  clients: readonly ClientCount[],
): ExperimentFigure[] {
  return metricNames().flatMap((metric, index) =>
    TOPOLOGY_NAMES.map((topology, at) => ({
      title: `Fig. ${4 + index}${LETTERS[at] ?? ''}: ${METRICS[metric].title}, ${TOPOLOGY_TITLES[topology]}`,
      kind: 'bars' as const,
      x: { label: 'Clients', names: clients.map(String) },
      y: yAxis(metric),
      series: approachSeries(
        results,
        metric,
        clients.map((count) => ({ ...DEFAULT_CLIENT, topology, clients: count })),
      ),
      note: '',
    })),
  );
}

/** Figs. 7 to 9: the approaches by receive buffer, for each scheduler. */
export function clientFigures(results: GeneticResults, clients: ClientCount): ExperimentFigure[] {
  return metricNames().flatMap((metric, index) =>
    SCHEDULERS.map((scheduler, at) => ({
      title: `Fig. ${7 + index}${LETTERS[at] ?? ''}: ${METRICS[metric].title}, ${scheduler}`,
      kind: 'bars' as const,
      x: {
        label: 'Receive buffer',
        names: BUFFER_BYTES.map((bytes) => `${bytes / 1e3} kB`),
      },
      y: yAxis(metric),
      series: approachSeries(
        results,
        metric,
        BUFFER_BYTES.map((receiveBufferBytes) => ({
          topology: CLIENT_SIDE_TOPOLOGY,
          clients,
          scheduler,
          receiveBufferBytes,
        })),
      ),
      note: `${TOPOLOGY_TITLES[CLIENT_SIDE_TOPOLOGY]}, ${clients} clients.`,
    })),
  );
}

/** Fig. 10, with work in place of time. */
export function searchFigure(results: GeneticResults): ExperimentFigure {
  const populations = [...new Set(results.searches.map(({ job }) => job.population))];
  populations.sort((a, b) => a - b);
  return {
    title: 'Fig. 10: work of a search by population',
    kind: 'lines',
    x: { label: 'Population' },
    y: { label: 'Steps (random numbers drawn)', from: 0 },
    series: TOPOLOGY_NAMES.map((topology) => ({
      label: TOPOLOGY_TITLES[topology],
      points: populations.flatMap((population) =>
        point(
          population,
          estimate(
            results.searches
              .filter(({ job }) => job.topology === topology && job.population === population)
              .map(({ outcome }) => outcome.draws),
          ),
        ),
      ),
    })),
    note: 'The paper has seconds here, 0.5 to 2.46. Steps do not depend on a machine; `npm run bench -- genetic` measures the time.',
  };
}

function approachSeries(
  results: GeneticResults,
  metric: RunMetric,
  places: readonly RunFilter[],
): ExperimentSeries[] {
  return SELECTING.map((approach) => ({
    label: APPROACH_TITLES[approach],
    points: places.flatMap((where, x) =>
      point(x, results.estimate(metric, { ...where, approach })),
    ),
  }));
}

function point(
  x: number,
  { mean, low, high }: ReturnType<typeof estimate>,
): ExperimentSeries['points'][number][] {
  if (mean === null) return [];
  return [low === null || high === null ? { x, y: mean } : { x, y: mean, low, high }];
}

function yAxis(metric: RunMetric): ExperimentFigure['y'] {
  const { title, unit } = METRICS[metric];
  return { label: title, unit, from: 0 };
}

function metricNames(): RunMetric[] {
  return ['bitrate', 'switches', 'outage'];
}
