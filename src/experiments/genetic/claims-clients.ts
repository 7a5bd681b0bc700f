import { estimate } from '../../report';
import { allOf, estimateText } from '../estimate';
import { isLess, isLessByPairs, isMoreByPairs, type Pair } from '../judge';
import type { ExperimentClaim } from '../types';
import { APPROACH_TITLES, COMPARED, type Approach } from './approaches';
import { CLIENT_SIDE_TOPOLOGY } from './plan';
import { differenceText, type GeneticResults, type RunMetric, type RunFilter } from './results';

const DELAY_BASED: readonly Approach[] = ['partial-delay', 'full-delay'];
const BANDWIDTH_BASED: readonly Approach[] = ['partial-bandwidth', 'full-bandwidth'];
const SELECTING: readonly Approach[] = ['genetic', ...COMPARED];

/** The paper's statements about schedulers and receive buffers (Figs. 7 to 9). */
export function claimsOfClients(results: GeneticResults): ExperimentClaim[] {
  const bitrate = change(results, 'bitrate', SELECTING);
  const delayOutage = change(results, 'outage', DELAY_BASED);
  const wideOutage = change(results, 'outage', BANDWIDTH_BASED);
  return [
    {
      place: 'Fig. 7',
      paper: 'The bitrate is slightly higher with DAPS than with minRTT',
      ours: differenceText('bitrate', bitrate),
      agrees: isMoreByPairs(bitrate),
    },
    fewerSwitches(results, ['partial-delay'], '27.6 % fewer switches'),
    fewerSwitches(
      results,
      SELECTING.filter((approach) => approach !== 'partial-delay'),
      '12 % fewer switches',
    ),
    {
      place: 'Fig. 9',
      paper: 'DAPS makes outages 11 % shorter where paths are chosen by delay',
      ours: differenceText('outage', delayOutage),
      agrees: isLessByPairs(delayOutage),
    },
    {
      place: 'Fig. 9',
      paper: 'DAPS does not make outages shorter where paths are chosen by bandwidth',
      ours: differenceText('outage', wideOutage),
      agrees: opposite(isLessByPairs(wideOutage)),
    },
    stillBest(results),
  ];
}

function isClientSide(where: RunFilter): RunFilter {
  return { ...where, topology: CLIENT_SIDE_TOPOLOGY };
}

/** Pairs of the same trial with DAPS and with minRTT, over some approaches. */
function change(
  results: GeneticResults,
  metric: RunMetric,
  approaches: readonly Approach[],
): Pair[] {
  return approaches.flatMap((approach) =>
    results.pairs(
      metric,
      isClientSide({ approach }),
      { scheduler: 'daps' },
      { scheduler: 'min-rtt' },
    ),
  );
}

function fewerSwitches(
  results: GeneticResults,
  approaches: readonly Approach[],
  says: string,
): ExperimentClaim {
  const pairs = change(results, 'switches', approaches);
  const percent = estimate(
    pairs.flatMap(([daps, minRtt]) => (minRtt > 0 ? [100 * (daps / minRtt - 1)] : [])),
  );
  const [only] = approaches;
  const who =
    approaches.length === 1 && only !== undefined
      ? APPROACH_TITLES[only].toLowerCase()
      : 'the other selections';
  return {
    place: 'Fig. 8',
    paper: `DAPS: ${says} with ${who}`,
    ours: `${estimateText(percent, 1, 'pairs of runs')}; % change`,
    agrees: isLess(percent, 100),
  };
}

function stillBest(results: GeneticResults): ExperimentClaim {
  const differences = COMPARED.map((other) => ({
    other,
    by: results.approaches('bitrate', isClientSide({}), 'genetic', other),
  }));
  const texts = differences.map(({ other, by }) => {
    const more = estimate(by.map(([genetic, one]) => genetic - one)).mean;
    return `${more === null ? '?' : more.toFixed(0)} over ${APPROACH_TITLES[other].toLowerCase()}`;
  });
  return {
    place: 'Figs. 7 to 9',
    paper:
      'The genetic selection streams the highest bitrate with either scheduler and every buffer',
    ours: `kbit/s more: ${texts.join(', ')}`,
    agrees: allOf(differences.map(({ by }) => isMoreByPairs(by))),
  };
}

function opposite(verdict: boolean | null): boolean | null {
  return verdict === null ? null : !verdict;
}
