import { quantiles } from '../../core';
import type { Metric } from '../../qoe';
import { columnScale } from './metric-text';
import type { Distribution, ScenarioCharts, TrialSeries } from './results-data';
import type { TrialDistributions } from './trial-series';
import type { ScenarioResults, TrialResult } from './types';

interface ChartTrial {
  result: TrialResult;
  series: TrialSeries | undefined;
  distributions: TrialDistributions | undefined;
}

const PERCENTILES = Array.from({ length: 101 }, (_, i) => i / 100);

/** The page's charts of one scenario: dots of every trial, distributions, curves. */
export function scenarioCharts(
  scenario: ScenarioResults,
  metrics: readonly Metric[],
  trials: readonly ChartTrial[],
): ScenarioCharts {
  const counted = trials.filter(({ result }) => result.status === 'ok');
  const headline = metrics.filter((metric) => metric.headline);
  const cdf = (
    label: string,
    unit: string,
    pick: (one: TrialDistributions) => readonly number[],
  ): ScenarioCharts['cdfs'][number] => ({
    label,
    unit,
    distributions: scenario.players.flatMap((player): Distribution[] => {
      const values = counted.flatMap(({ result, distributions }) =>
        result.player === player && distributions ? pick(distributions) : [],
      );
      const shown = quantiles(values, PERCENTILES).map((value) => Number(value.toPrecision(4)));
      return values.length > 0 ? [{ player, count: values.length, quantiles: shown }] : [];
    }),
  });
  return {
    players: scenario.players,
    dots: headline.flatMap((metric) => dotsOf(scenario, metric)),
    cdfs: [
      cdf('Segment download time', 's', (one) => one.segmentDelayMs.map((ms) => ms / 1000)),
      cdf('Segment download speed', 'Mbit/s', (one) => one.segmentSpeedMbps),
      cdf('Queue delay towards the client', 'ms', (one) => one.queueDelayMs),
    ].filter(({ distributions }) => distributions.length > 0),
    trials: trials.flatMap(({ result, series }) =>
      series
        ? [
            {
              player: result.player,
              trial: result.trial,
              qoe: result.metrics['linearQoePerSegment'] ?? null,
              series,
            },
          ]
        : [],
    ),
  };
}

function dotsOf(scenario: ScenarioResults, metric: Metric): ScenarioCharts['dots'] {
  const trials = scenario.trials.filter(({ status }) => status === 'ok');
  const rows = scenario.players.map((player) => {
    const figures = scenario.statistics.find(
      (one) => one.player === player && one.metric === metric.name,
    );
    const values = trials.flatMap((trial) => {
      const value = trial.player === player ? trial.metrics[metric.name] : null;
      return typeof value === 'number' ? [value] : [];
    });
    return { player, values, figures };
  });
  const all = rows.flatMap(({ values }) => values);
  if (all.length === 0) return [];
  const { unit, divisor } = columnScale(metric, Math.max(...all.map(Math.abs)));
  const scaled = (value: number | null | undefined): number | null =>
    value === null || value === undefined ? null : value / divisor;
  return [
    {
      label: metric.label,
      unit,
      rows: rows.map(({ player, values, figures }) => ({
        player,
        values: values.map((value) => value / divisor),
        mean: scaled(figures?.mean),
        low: scaled(figures?.meanLow),
        high: scaled(figures?.meanHigh),
      })),
    },
  ];
}
