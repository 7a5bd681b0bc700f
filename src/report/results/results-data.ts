/** Data for the results page; embedded as JSON. */

/** Curves of one trial; times are seconds since the session's first event. */
export interface TrialSeries {
  binS: number;
  bins: number;
  pathIds: string[];
  /** Rate per path and bin. */
  pathMbps: number[][];
  shownMbps: (number | null)[];
  bufferS: (number | null)[];
  /** The player's forecast for all paths; nulls if it has none. */
  forecastMbps: (number | null)[];
  /** Queue delay of each link towards the client: mean of the bin. */
  queues: { link: string; ms: (number | null)[] }[];
  stalls: { startS: number; endS: number }[];
  events: { atS: number; label: string; lost: boolean }[];
}

/** A distribution: the value below which 0 %, 1 % .. 100 % lie. */
export interface Distribution {
  player: string;
  count: number;
  quantiles: number[];
}

export interface ScenarioCharts {
  players: string[];
  /** One per metric shown as dots: a value per trial. */
  dots: {
    label: string;
    unit: string;
    rows: {
      player: string;
      values: number[];
      mean: number | null;
      low: number | null;
      high: number | null;
    }[];
  }[];
  cdfs: { label: string; unit: string; distributions: Distribution[] }[];
  trials: { player: string; trial: number; qoe: number | null; series: TrialSeries }[];
}

/** Id of the JSON element the script reads. */
export const RESULTS_ELEMENT_ID = 'results-data';
