import { createRandom } from '../../../src/core';
import { parseScenario, type Scenario } from '../../../src/scenario';
import { noFiles } from './no-files';

/** A network that was drawn, with a segment for it. */
export interface DrawnNetwork {
  scenario: Scenario;
  /** 2 s of what both paths have together. */
  segmentBytes: number;
}

/** Of a path: what a house, a phone, a ship and a bus have. Rates in Mbit/s, round trips in ms, queues in ms of the rate. */
const RATE = [0.5, 50] as const;
const ROUND_TRIP = [10, 600] as const;
const QUEUE = [20, 500] as const;
/** Queues of fewer bytes hold no first window (RFC 6928). */
const LEAST_QUEUE_BYTES = 15_000;
const LOSSES = [0, 0, 0, 0.1, 1] as const;

/** Two networks that nobody chose, by a seed. Rates, round trips and queues are uniform in their logarithm. */
export function drawNetwork(seed: number): DrawnNetwork {
  const random = createRandom(seed);
  const within = ([low, high]: readonly [number, number]): number => low * (high / low) ** random();
  const path = (id: string) => {
    const rateMbit = Number(within(RATE).toPrecision(2));
    const delayMs = Math.round(within(ROUND_TRIP) / 2);
    const queueBytes = Math.max(LEAST_QUEUE_BYTES, (rateMbit * 1e6 * within(QUEUE)) / 8e3);
    const [rate, delay, queue] = [
      `${rateMbit}mbit`,
      `${delayMs}ms`,
      `${Math.round(queueBytes / 1000)}kB`,
    ];
    const loss = LOSSES[Math.floor(random() * LOSSES.length)] ?? 0;
    return {
      rateMbit,
      name: `${rate}, ${delay}, ${queue}, ${loss}%`,
      line: `    ${id}: { rate: ${rate}, delay: ${delay}, queue: ${queue}, loss: ${loss}% }`,
    };
  };
  const paths = [path('a'), path('b')];
  const scenario = parseScenario(
    [
      'topology:',
      '  kind: multihomed',
      '  paths:',
      ...paths.map(({ line }) => line),
      'media: { kind: ladder, video: [300kbit], segment: 2s, pictures: small }',
      'players: [ours]',
      'duration: 60s',
    ].join('\n'),
    `drawn-${seed}.yaml`,
    { files: noFiles },
  );
  const rateMbit = paths.reduce((sum, one) => sum + one.rateMbit, 0);
  const name = `${seed}: ${paths.map((one) => one.name).join(' + ')}`;
  return {
    scenario: { ...scenario, name },
    segmentBytes: Math.round(rateMbit * 250_000),
  };
}
