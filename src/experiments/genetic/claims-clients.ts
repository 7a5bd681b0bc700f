import { mean } from '../../core';
import { estimate } from '../../report';
import { isAbove } from '../estimate';
import type { ExperimentClaim } from '../types';
import { APPROACH_TITLES, APPROACHES, type Approach } from './approaches';
import { partsAgainstEach } from './claims-paths';
import {
  comparisonText,
  contrary,
  isLessIn,
  isMoreIn,
  judgeChange,
  judgeEach,
  part,
  signedText,
  type Comparison,
  type Part,
} from './judgements';
import type { ClientCount } from './link-values';
import { BUFFER_BYTES, CLIENT_SIDE_TOPOLOGY, SCHEDULERS } from './plan';
import { METRIC_NAMES, type GeneticResults, type RunMetric } from './results';

const DELAY_BASED: readonly Approach[] = ['partial-delay', 'full-delay'];
const BANDWIDTH_BASED: readonly Approach[] = ['partial-bandwidth', 'full-bandwidth'];
const SCHEDULER_TITLES = { 'min-rtt': 'minRTT', daps: 'DAPS' } as const;
const SELECTING: readonly Approach[] = APPROACHES.filter((approach) => approach !== 'none');
/** Changes in the paper's text, percent. */
const PAPER = { delaySwitches: -27.6, otherSwitches: -12, outage: -11 };

/** The paper's statements about schedulers and receive buffers (Figs. 7 to 9). */
export function claimsOfClients(results: GeneticResults): ExperimentClaim[] {
  const bitrate = change(results, 'bitrate', SELECTING);
  const wideOutage = change(results, 'outage', BANDWIDTH_BASED);
  const others = SELECTING.filter((approach) => approach !== 'partial-delay');
  const isShorter = isLessIn(wideOutage);
  return [
    {
      place: 'Fig. 7',
      paper: 'The bitrate is slightly higher with DAPS than with minRTT',
      ours: comparisonText(bitrate),
      agrees: isMoreIn(bitrate),
    },
    {
      place: 'Fig. 7',
      paper:
        'DAPS gains similar bitrates with all selections (judged: half to twice the mean gain)',
      ...judgeEach(similarGains(results)),
    },
    {
      place: 'Fig. 8',
      paper: 'DAPS: so many fewer switches with partially disjoint, delay',
      paperValue: `${PAPER.delaySwitches} %`,
      ...judgeChange(change(results, 'switches', ['partial-delay']), PAPER.delaySwitches),
    },
    {
      place: 'Fig. 8',
      paper: 'DAPS: so many fewer switches with the other selections',
      paperValue: `${PAPER.otherSwitches} %`,
      ...judgeChange(change(results, 'switches', others), PAPER.otherSwitches),
    },
    fewestSwitches(results),
    {
      place: 'Fig. 9',
      paper: 'DAPS makes outages so much shorter where paths are chosen by delay',
      paperValue: `${PAPER.outage} %`,
      ...judgeChange(change(results, 'outage', DELAY_BASED), PAPER.outage),
    },
    {
      place: 'Fig. 9',
      paper: 'DAPS does not make outages shorter where paths are chosen by bandwidth',
      ours: comparisonText(wideOutage),
      agrees: isShorter === null ? null : !isShorter,
    },
    ...stillBest(results),
  ];
}

/** DAPS beside minRTT, over some approaches. */
function change(
  results: GeneticResults,
  metric: RunMetric,
  approaches: readonly Approach[],
): Comparison {
  const where = { topology: CLIENT_SIDE_TOPOLOGY };
  const pairs = approaches.flatMap((approach) =>
    results.compare(
      metric,
      where,
      { approach, scheduler: 'daps' },
      { approach, scheduler: 'min-rtt' },
    ),
  );
  return { metric, pairs };
}

/** The gain of each selection beside half and twice the mean gain, trial by trial. */
function similarGains(results: GeneticResults): Part[] {
  const gainOf = (approaches: readonly Approach[]): Map<number, number> =>
    meanGains(change(results, 'bitrate', approaches));
  const all = gainOf(SELECTING);
  return SELECTING.flatMap((approach): Part[] => {
    const own = [...gainOf([approach])].filter(([seed]) => all.has(seed));
    if (own.length === 0) return [];
    const above = own.map(([seed, gain]) => gain - (all.get(seed) ?? NaN) / 2);
    const below = own.map(([seed, gain]) => 2 * (all.get(seed) ?? NaN) - gain);
    const isIn = [above, below].map((values) => isAbove(estimate(values), 0));
    const gain = signedText(estimate(own.map(([, one]) => one)), 0);
    return [
      {
        name: `${APPROACH_TITLES[approach].toLowerCase()} ${gain} kbit/s`,
        isSo: [above, below].every((values) => (mean(values) ?? NaN) > 0),
        agrees: isIn.every((one) => one === true) ? true : isIn.includes(false) ? false : null,
        contrary: Math.min(contrary(above), contrary(below)),
      },
    ];
  });
}

function meanGains({ pairs }: Comparison): Map<number, number> {
  const seeds = [...new Set(pairs.map(({ seed }) => seed))];
  return new Map(
    seeds.map((one) => {
      const own = pairs.filter(({ seed }) => seed === one);
      return [one, mean(own.map(({ pair: [daps, minRtt] }) => daps - minRtt)) ?? NaN];
    }),
  );
}

/** Fig. 8: "the lowest quality switching values" of both schedulers. */
function fewestSwitches(results: GeneticResults): ExperimentClaim {
  const where = { topology: CLIENT_SIDE_TOPOLOGY, clients: clientsOf(results) };
  const named = { approach: 'partial-bandwidth', scheduler: 'min-rtt' } as const;
  const parts = SCHEDULERS.flatMap((scheduler) =>
    SELECTING.flatMap((approach): Part[] => {
      if (scheduler === 'min-rtt' && approach === 'partial-bandwidth') return [];
      const pairs = results.compare('switches', where, named, { approach, scheduler });
      if (pairs.length === 0) return [];
      const comparison: Comparison = { metric: 'switches', pairs };
      const name = `${scheduler}, ${APPROACH_TITLES[approach].toLowerCase()}`;
      return [part(name, comparison, false)];
    }),
  );
  return {
    place: 'Fig. 8',
    paper:
      'Of all selections and schedulers, partially disjoint, bandwidth with minRTT switches least',
    ...judgeEach(parts),
  };
}

/** Clients of the runs with DAPS: those of Figs. 7 to 9. */
const clientsOf = (results: GeneticResults): ClientCount =>
  results.runs({ scheduler: 'daps' })[0]?.job.clients ?? 30;

/** Figs. 7 to 9: "outperforms other path selection approaches" with each scheduler, "across different buffer sizes". */
function stillBest(results: GeneticResults): ExperimentClaim[] {
  const says = {
    bitrate: ['Fig. 7', 'streams a higher bitrate'],
    switches: ['Fig. 8', 'switches less'],
    outage: ['Fig. 9', 'has shorter outages'],
  } as const;
  return METRIC_NAMES.flatMap((metric) =>
    SCHEDULERS.map((scheduler) => {
      const settings = BUFFER_BYTES.map((receiveBufferBytes) => ({
        name: `${receiveBufferBytes / 1e3} kB`,
        where: {
          ...{ topology: CLIENT_SIDE_TOPOLOGY, clients: clientsOf(results) },
          ...{ scheduler, receiveBufferBytes },
        },
      }));
      const [place, text] = says[metric];
      return {
        place,
        paper: `Genetic ${text} than each other approach with every buffer, ${SCHEDULER_TITLES[scheduler]}`,
        ...judgeEach(partsAgainstEach(results, metric, settings)),
      };
    }),
  );
}
