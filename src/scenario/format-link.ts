import * as v from 'valibot';
import { fields, fileName, flag, ipAddress, list, oneOf, whole } from './format-fields';
import { rate, ratio, size, time } from './quantity';
import { QUEUE_DISCIPLINES, QUEUE_SETTINGS, type QueueSettings } from './queue-disciplines';

/** The format of links in a scenario file; `read-link.ts` turns it into specs. */

const queueSize = size({ min: '1500B', max: '1GB' });

type Settings = typeof QUEUE_SETTINGS;
/** Settings of a queue by their names in scenario files. */
export type QueueSettingsFormat = {
  [K in keyof Settings as Settings[K]['written']]?: QueueSettings[K] | undefined;
};

function settingValue({
  values,
}: Settings[keyof Settings]): v.GenericSchema<unknown, number | boolean> {
  switch (values.kind) {
    case 'time':
      return time(values);
    case 'size':
      return size(values);
    case 'count':
      return whole(values.min, values.max);
    case 'ratio':
      return ratio();
    case 'flag':
      return flag();
  }
}

/** The schema of every setting, under its name in scenario files. */
const queueSettings = Object.fromEntries(
  Object.values(QUEUE_SETTINGS).map((setting) => [
    setting.written,
    v.optional(settingValue(setting)),
  ]),
) as {
  [K in keyof QueueSettingsFormat]-?: v.OptionalSchema<
    v.GenericSchema<unknown, NonNullable<QueueSettingsFormat[K]>>,
    undefined
  >;
};

const queueFields = fields({
  discipline: v.optional(oneOf(QUEUE_DISCIPLINES, 'a queue discipline'), 'droptail'),
  limit: v.optional(queueSize),
  packets: v.optional(whole(1, 1_000_000)),
  ...queueSettings,
});

const traceFields = fields({
  file: fileName(),
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
  trace: v.optional(v.union([fileName(), traceFields], 'expected a file name, or a map with file')),
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
  nat: v.optional(ipAddress()),
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
