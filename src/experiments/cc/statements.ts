import { COUPLED, PATH_LEVEL } from './job';
import {
  ABOUT,
  about,
  aboutEach,
  ALL,
  among,
  combinations,
  family,
  inEach,
  isSame,
  pair,
  SIMILAR,
  under,
  type PairName,
  type Statement,
} from './statement-parts';

/** "Almost flat", in Mbit/s per s: {@link ABOUT} of wVegas's 5.7 Mbit/s of Table 3, over the eight judged seconds. */
const FLAT = (ABOUT * 5.7) / 8;
/** Table 3's throughputs of one coupled control differ by at most 15 %. */
const NEAR = 0.15;

/** "Often", in percent of the time. Chosen. */
const OFTEN = 5;

/** The text excepts these two pairs (3.1.4). */
const OUTLIERS: readonly PairName[] = [
  ['lia', 'bbr'],
  ['wvegas', 'reno'],
];
const USUAL = ALL.filter((one) => !OUTLIERS.some((other) => isSame(one, other)));

/**
 * Statements of sections 3.1.2 to 3.1.4 about the run of Figs. 3 and 4. The maxima of our runs judge them. A swing is the
 * maximum of the round trip less its mean.
 */
const OF_FIGURES: readonly Statement[] = [
  {
    place: '3.1.2, Fig. 3',
    paper: 'The round trip of path 1 swings by about 10 ms (maximum less mean, all pairs)',
    ...aboutEach([{ label: 'path 1', pairs: ALL, name: 'swing1' }, 10]),
  },
  {
    place: '3.1.2, Fig. 3',
    paper: 'That of path 2 swings by up to 30 ms with BALIA and OLIA (maximum less mean)',
    ...aboutEach([family('swing2', 'balia'), 30], [family('swing2', 'olia'), 30]),
  },
  {
    place: '3.1.3, Fig. 3',
    paper: 'The protocol delay peaks at about 150 ms (each pair over Reno and Cubic)',
    ...about(
      150,
      'protocolMax',
      ALL.filter(([, path]) => path !== 'bbr'),
    ),
  },
  {
    place: '3.1.3, Fig. 3',
    paper: 'Its maximum values hover around 135 ms (95th percentile, all pairs)',
    ...about(135, 'protocolHigh', ALL),
  },
  {
    place: '3.1.3, Fig. 3',
    paper: 'Its minimum values stabilize near 60 ms (all pairs)',
    ...about(60, 'protocolMin', ALL),
  },
  {
    place: '3.1.4, Fig. 4',
    paper:
      'The HoL degree peaks at about 125 ms for wVegas with BBR, 100 ms for LIA with Cubic, 80 ms for LIA with Reno',
    ...aboutEach(
      [pair('holMax', ['wvegas', 'bbr']), 125],
      [pair('holMax', ['lia', 'cubic']), 100],
      [pair('holMax', ['lia', 'reno']), 80],
    ),
  },
];

/** Statements of sections 3.1.1 to 3.1.5 about all runs, and about the run of Figs. 3 and 4. */
export const STATEMENTS: readonly Statement[] = [
  {
    ...{ place: '3.1.1', paper: 'LIA with BBR has the lowest drop rate on path 1' },
    ...among('lowest', 'drops1', ['lia', 'bbr']),
  },
  {
    ...{ place: '3.1.1', paper: 'LIA with BBR has the lowest drop rate on path 2' },
    ...among('lowest', 'drops2', ['lia', 'bbr']),
  },
  {
    // The sentence names no path.
    place: '3.1.1',
    paper:
      'wVegas with Reno and BALIA with Cubic have the highest drop rates (both paths together)',
    ...among('highest', 'dropsBoth', ['wvegas', 'reno'], ['balia', 'cubic']),
  },
  {
    ...{ place: '3.1.2', paper: 'wVegas with Reno has the lowest round trip on path 1' },
    ...among('lowest', 'srtt1Mean', ['wvegas', 'reno']),
  },
  {
    ...{ place: '3.1.2', paper: 'OLIA with BBR has the lowest round trip on path 2' },
    ...among('lowest', 'srtt2Mean', ['olia', 'bbr']),
  },
  {
    // "The lowest latency and jitter", once more in section 4. The sentence defines no jitter.
    place: '3.1.2',
    paper: 'wVegas with Reno has the lowest jitter on path 1 (maximum less mean)',
    ...among('lowest', 'swing1', ['wvegas', 'reno']),
  },
  {
    place: '3.1.2',
    paper: 'OLIA with BBR has the lowest jitter on path 2 (maximum less mean)',
    ...among('lowest', 'swing2', ['olia', 'bbr']),
  },
  {
    ...{ place: '3.1.2', paper: 'BALIA with Cubic has the highest maximum round trip on path 1' },
    ...among('highest', 'srtt1Max', ['balia', 'cubic']),
  },
  {
    ...{ place: '3.1.2', paper: 'BALIA with BBR has the highest maximum round trip on path 2' },
    ...among('highest', 'srtt2Max', ['balia', 'bbr']),
  },
  {
    place: '3.1.2, Fig. 3',
    paper:
      'The round trip of path 2 varies more than that of path 1 (maximum less mean, all pairs)',
    rule: 'highest',
    comparisons: [
      [
        { label: 'path 2', pairs: ALL, name: 'swing2' },
        { label: 'path 1', pairs: ALL, name: 'swing1' },
      ],
    ],
  },
  {
    place: '3.1.2, Fig. 3',
    paper: 'It does so especially for BALIA and OLIA (path 2, maximum less mean)',
    rule: 'highest',
    comparisons: (['balia', 'olia'] as const).flatMap((one) =>
      (['lia', 'wvegas'] as const).map(
        (other) => [family('swing2', one), family('swing2', other)] as const,
      ),
    ),
  },
  {
    place: '3.1.2',
    paper: 'Reno, Cubic and BBR perform similarly well concerning the round trip',
    rule: { within: SIMILAR },
    comparisons: combinations(PATH_LEVEL).flatMap(([one, other]) => [
      [under('srtt1Mean', one, 'path 1'), under('srtt1Mean', other, 'path 1')] as const,
      [under('srtt2Mean', one, 'path 2'), under('srtt2Mean', other, 'path 2')] as const,
    ]),
  },
  {
    ...{ place: '3.1.3', paper: 'LIA with BBR has the highest average protocol delay' },
    ...among('highest', 'protocolMean', ['lia', 'bbr']),
  },
  {
    ...{ place: '3.1.3', paper: 'wVegas with Reno has the highest maximum protocol delay' },
    ...among('highest', 'protocolMax', ['wvegas', 'reno']),
  },
  {
    place: '3.1.3',
    paper: 'The mean protocol delay is about 95 ms (all pairs but LIA with BBR, wVegas with Reno)',
    ...about(95, 'protocolMean', USUAL),
  },
  {
    ...{ place: '3.1.4', paper: 'wVegas with Reno has the highest average HoL degree' },
    ...among('highest', 'holMean', ['wvegas', 'reno']),
  },
  {
    ...{ place: '3.1.4', paper: 'wVegas with Reno has the highest maximum HoL degree' },
    ...among('highest', 'holMax', ['wvegas', 'reno']),
  },
  {
    ...{ place: '3.1.4', paper: 'BALIA with Reno and with BBR have the lowest average HoL degree' },
    ...among('lowest', 'holMean', ['balia', 'reno'], ['balia', 'bbr']),
  },
  {
    ...{ place: '3.1.4', paper: 'BALIA with Reno and with BBR have the lowest maximum HoL degree' },
    ...among('lowest', 'holMax', ['balia', 'reno'], ['balia', 'bbr']),
  },
  {
    place: '3.1.4',
    paper: 'Average HoL degrees are about 20 ms (all pairs but LIA with BBR, wVegas with Reno)',
    ...about(20, 'holMean', USUAL),
  },
  {
    ...{ place: '3.1.5', paper: 'BALIA with Reno has the highest throughput' },
    ...among('highest', 'goodputMean', ['balia', 'reno']),
  },
  {
    ...{ place: '3.1.5', paper: 'OLIA with BBR follows it closely', rule: { within: SIMILAR } },
    comparisons: [[pair('goodputMean', ['olia', 'bbr']), pair('goodputMean', ['balia', 'reno'])]],
  },
  {
    ...{ place: '3.1.5', paper: 'wVegas with Reno has the lowest throughput' },
    ...among('lowest', 'goodputMean', ['wvegas', 'reno']),
  },
  {
    place: '3.1.5',
    paper: 'BALIA outperforms the other algorithms in all three combinations',
    ...inEach('highest', 'goodputMean', 'balia'),
  },
  {
    place: '3.1.5, Fig. 4',
    paper:
      'The throughput tends to improve over time over Reno, Cubic and BBR (means of four pairs, slope above 0)',
    rule: 'highest',
    comparisons: PATH_LEVEL.map((path) => [under('goodputSlope', path), 0] as const),
  },
  {
    place: '3.1.5, Fig. 4',
    paper: 'LIA exhibits a stable rise in throughput over time (each combination, slope above 0)',
    rule: 'highest',
    comparisons: PATH_LEVEL.map((path) => [pair('goodputSlope', ['lia', path]), 0] as const),
  },
  {
    place: '3.1.5, Fig. 4',
    paper: `wVegas has an almost flat throughput (each combination, slope within ${FLAT.toFixed(2)} Mbit/s per s)`,
    rule: { limit: FLAT },
    comparisons: PATH_LEVEL.map((path) => [pair('goodputSlope', ['wvegas', path]), 0] as const),
  },
  {
    place: '3.1.5, Fig. 4',
    paper: 'OLIA is the most unstable: its throughput varies most (each combination)',
    ...inEach('highest', 'goodputVariation', 'olia'),
  },
  {
    place: '3.1.5, Fig. 4',
    paper: `OLIA’s throughput with Cubic often approaches zero (below a twentieth of its mean in ${OFTEN} % of the time)`,
    rule: 'highest',
    comparisons: [[pair('stillShare', ['olia', 'cubic']), OFTEN]],
  },
  ...OF_FIGURES,
];

/** What Table 3 shows and the text does not say. */
export const INFERENCES: readonly Statement[] = [
  {
    place: 'Table 3',
    paper: 'wVegas has the lowest throughput over each control at the path level',
    ...inEach('lowest', 'goodputMean', 'wvegas'),
  },
  {
    place: 'Table 3',
    paper: 'wVegas has the lowest maximum round trip on path 2 over each control at the path level',
    ...inEach('lowest', 'srtt2Max', 'wvegas'),
  },
  {
    place: 'Table 3',
    paper: 'The control at the path level changes the throughput by 15 % at most',
    rule: { within: NEAR },
    comparisons: COUPLED.flatMap((coupled) =>
      combinations(PATH_LEVEL).map(
        ([one, other]) =>
          [pair('goodputMean', [coupled, one]), pair('goodputMean', [coupled, other])] as const,
      ),
    ),
  },
];
