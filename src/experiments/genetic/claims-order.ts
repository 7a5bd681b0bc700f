import type { ExperimentClaim } from '../types';
import { APPROACH_TITLES, APPROACHES, type Approach } from './approaches';
import { isMoreIn, judgeEach, part, type Comparison, type Part } from './judgements';
import { BUFFER_BYTES, CLIENT_SIDE_TOPOLOGY, DEFAULT_CLIENT, SCHEDULERS } from './plan';
import { METRIC_NAMES, type GeneticResults, type RunFilter, type RunMetric } from './results';

const SELECTING: readonly Approach[] = APPROACHES.filter((approach) => approach !== 'none');
const titleOf = (approach: Approach): string => APPROACH_TITLES[approach].toLowerCase();

/** Quantity of each metric in the statement's words. */
const SAYINGS: Readonly<Record<RunMetric, string>> = {
  bitrate: 'higher bitrate',
  switches: 'more switches',
  outage: 'longer outages',
};

const NO_ORDER = 'with minRTT and 256 kB no selection is ahead of another beyond chance';

type Setting = Pick<Required<RunFilter>, 'scheduler' | 'receiveBufferBytes'>;

const isDefault = ({ scheduler, receiveBufferBytes }: Setting): boolean =>
  scheduler === DEFAULT_CLIENT.scheduler &&
  receiveBufferBytes === DEFAULT_CLIENT.receiveBufferBytes;

const SETTINGS = SCHEDULERS.flatMap((scheduler) =>
  BUFFER_BYTES.map((receiveBufferBytes): Setting => ({ scheduler, receiveBufferBytes })),
).filter((setting) => !isDefault(setting));

/**
 * Section IV-B-2: "the correlation between the performances of different path selection algorithms remains unaffected"
 * by scheduler and buffer. Judged are the pairs of selections that differ with the default ones: with each other
 * setting the same selection is ahead.
 */
export function orderClaims(results: GeneticResults): ExperimentClaim[] {
  const clients = results.runs({ scheduler: 'daps' })[0]?.job.clients ?? 30;
  return METRIC_NAMES.map((metric) => {
    const compared = (setting: Setting, one: Approach, other: Approach): Comparison => {
      const where = { topology: CLIENT_SIDE_TOPOLOGY, clients, ...setting };
      return {
        metric,
        pairs: results.compare(metric, where, { approach: one }, { approach: other }),
      };
    };
    const ordered = SELECTING.flatMap((one) =>
      SELECTING.filter((other) => isMoreIn(compared(DEFAULT_CLIENT, one, other)) === true).map(
        (other) => [one, other] as const,
      ),
    );
    const parts = SETTINGS.flatMap((setting) =>
      ordered.flatMap(([one, other]): Part[] => {
        const comparison = compared(setting, one, other);
        const { scheduler, receiveBufferBytes } = setting;
        const name = `${scheduler}, ${receiveBufferBytes / 1e3} kB, ${titleOf(one)} over ${titleOf(other)}`;
        return comparison.pairs.length === 0 ? [] : [part(name, comparison, true)];
      }),
    );
    return {
      place: 'Section IV-B-2',
      paper: `The selection that has ${SAYINGS[metric]} than another with minRTT and 256 kB has so with each other scheduler and buffer`,
      ...(ordered.length === 0 ? { ours: NO_ORDER, agrees: null } : judgeEach(parts)),
    };
  });
}
