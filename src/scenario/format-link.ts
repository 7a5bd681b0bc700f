import * as v from 'valibot';
import { fields, flag, list, oneOf, text, whole } from './format-fields';
import { QUEUE_DISCIPLINES } from './link-spec';
import { rate, ratio, size, time } from './quantity';

/** The format of links in a scenario file; `read-link.ts` turns it into specs. */

const queueSize = size({ min: '1500B', max: '1GB' });

const queueFields = fields({
  discipline: v.optional(oneOf(QUEUE_DISCIPLINES, 'a queue discipline'), 'droptail'),
  limit: v.optional(queueSize),
  packets: v.optional(whole(1, 1_000_000)),
  target: v.optional(time({ min: '1us', max: '10s' })),
  interval: v.optional(time({ min: '1ms', max: '10s' })),
  update: v.optional(time({ min: '1ms', max: '10s' })),
  burst: v.optional(time({ min: '0ms', max: '10s' })),
  ecn: v.optional(flag()),
  ecnThreshold: v.optional(ratio()),
  flows: v.optional(whole(1, 65_536)),
  quantum: v.optional(size({ min: '256B', max: '1MB' })),
});

const traceFields = fields({
  file: text(400),
  scale: v.optional(
    v.pipe(
      v.number('expected a number, such as 0.1'),
      v.minValue(0.0001, 'expected at least 0.0001'),
      v.maxValue(10_000, 'expected at most 10000'),
    ),
  ),
  from: v.optional(time({ min: '0s', max: '24h' })),
  once: v.optional(flag()),
  latency: v.optional(flag()),
});

const outage = fields({
  at: time({ min: '0s', max: '24h' }),
  for: time({ min: '1ms', max: '24h' }),
});

/** Fields of one direction; fields at the link itself apply to both. */
export const directionEntries = {
  rate: v.optional(rate()),
  trace: v.optional(v.union([text(400), traceFields], 'expected a file name, or a map with file')),
  delay: v.optional(time({ min: '0ms', max: '10s' })),
  loss: v.optional(ratio()),
  burstLoss: v.optional(
    fields({
      goodToBad: ratio(),
      badToGood: ratio(),
      lossBad: v.optional(ratio()),
      lossGood: v.optional(ratio()),
    }),
  ),
  jitter: v.optional(
    v.union(
      [
        time({ min: '0ms', max: '10s' }),
        fields({
          spread: time({ min: '0ms', max: '10s' }),
          shape: v.optional(oneOf(['uniform', 'normal'], 'a shape')),
          reorder: v.optional(flag()),
        }),
      ],
      'expected a time such as 5ms, or a map with spread, shape, reorder',
    ),
  ),
  outages: v.optional(
    v.union(
      [list(outage), fields({ list: list(outage), every: time({ min: '1ms', max: '24h' }) })],
      'expected a list of {at, for}, or a map with list and every',
    ),
  ),
  queue: v.optional(
    v.union(
      [queueSize, oneOf(QUEUE_DISCIPLINES, 'a queue discipline'), queueFields],
      `expected a size such as 60kB, one of ${QUEUE_DISCIPLINES.join(', ')}, or a map with discipline`,
    ),
  ),
};

export const direction = fields(directionEntries);
export type DirectionFormat = v.InferOutput<typeof direction>;

/** Not by direction. */
export const middlebox = fields({
  stripMpCapable: v.optional(flag()),
  stripMpJoin: v.optional(flag()),
  dropAddAddr: v.optional(flag()),
  nat: v.optional(text(45)),
  resetAfter: v.optional(size({ min: '1B', max: '100GB' })),
});

/** A path from the client's side: `down` towards it, `up` away from it. */
export const pathLinkEntries = {
  ...directionEntries,
  down: v.optional(direction),
  up: v.optional(direction),
  middlebox: v.optional(middlebox),
};
const pathLink = fields(pathLinkEntries);
export const pathLinkFormat = pathLink;
export type PathLinkFormat = v.InferOutput<typeof pathLink>;

/** A link of a graph, between two nodes. */
export const graphLinkEntries = {
  ...directionEntries,
  ab: v.optional(direction),
  ba: v.optional(direction),
  middlebox: v.optional(middlebox),
};
export type MiddleboxFormat = v.InferOutput<typeof middlebox>;
