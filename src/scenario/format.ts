import * as v from 'valibot';
import { fields, fileName, flag, list, name, oneOf, text, whole } from './format-fields';
import { eventFormat } from './format-events';
import { playersFormat } from './format-players';
import { AUDIO_RATE, LADDER_RATE, MAX_RUNGS } from './media-limits';
import { topologyFormat } from './format-topology';
import { rate, ratio, size, time } from './quantity';

const atAnyTime = { min: '0s', max: '24h' };

const serverFormat = fields({
  http: v.optional(oneOf(['http1', 'http2'], 'an HTTP version')),
  tls: v.optional(flag()),
  mptcp: v.optional(flag()),
  congestionControl: v.optional(text(15)),
  pathUse: v.optional(
    fields({
      n: v.optional(whole(1, 10_000)),
      rho: v.optional(ratio()),
      period: v.optional(time({ min: '10ms', max: '10s' })),
    }),
  ),
});
export type ServerFormat = v.InferOutput<typeof serverFormat>;

const mediaKinds = ['demo', 'folder', 'ladder'] as const;
const mediaFormat = v.union(
  [
    oneOf(['demo'], 'media'),
    v.variant(
      'kind',
      [
        fields({ kind: v.literal('demo') }),
        fields({ kind: v.literal('folder'), dir: fileName(), mpd: v.optional(fileName(200)) }),
        fields({
          kind: v.literal('ladder'),
          video: v.pipe(
            list(rate(LADDER_RATE), MAX_RUNGS),
            v.minLength(1, 'expected at least one rate'),
          ),
          audio: v.optional(list(rate(AUDIO_RATE), 8)),
          segment: v.optional(time({ min: '500ms', max: '20s' })),
          pictures: v.optional(oneOf(['small'], 'a kind of pictures')),
          sizes: v.optional(oneOf(['vbr'], 'a kind of sizes')),
          live: v.optional(
            fields({
              latency: v.optional(time({ min: '500ms', max: '60s' })),
              chunk: v.optional(time({ min: '40ms', max: '10s' })),
            }),
          ),
        }),
      ],
      `expected one of ${mediaKinds.join(', ')}`,
    ),
  ],
  'expected demo, or a map with kind: demo, folder or ladder',
);
export type MediaFormat = v.InferOutput<typeof mediaFormat>;

const trafficCommon = {
  id: v.optional(name()),
  from: name(),
  to: name(),
  start: v.optional(time(atAnyTime)),
  for: v.optional(time({ min: '100ms', max: '24h' })),
};
const trafficKinds = ['ftp', 'voip', 'web'] as const;
const trafficFormat = v.variant(
  'kind',
  [
    fields({
      kind: v.literal('ftp'),
      ...trafficCommon,
      connections: v.optional(whole(1, 128)),
      rate: v.optional(rate()),
    }),
    fields({
      kind: v.literal('voip'),
      ...trafficCommon,
      calls: v.optional(whole(1, 1000)),
      perSecond: v.optional(whole(1, 100)),
      hold: v.optional(time({ min: '100ms', max: '10min' })),
      ports: v.optional(v.picklist(['each', 'one'], 'expected each or one')),
    }),
    fields({
      kind: v.literal('web'),
      ...trafficCommon,
      perSecond: v.optional(whole(1, 10_000)),
      object: v.optional(size({ min: '1B', max: '1GB' })),
    }),
  ],
  `expected a map with kind: one of ${trafficKinds.join(', ')}`,
);
export type TrafficFormat = v.InferOutput<typeof trafficFormat>;

const meteredFormat = list(
  v.union(
    [
      name(),
      fields({
        path: name(),
        costPerGb: v.optional(
          v.pipe(
            v.number('expected a number'),
            v.minValue(0, 'expected 0 or more'),
            v.maxValue(1e9, 'expected at most 1000000000'),
          ),
        ),
        budget: v.optional(size({ min: '1kB', max: '1000GB' })),
      }),
    ],
    'expected the name of a path, or a map with path, costPerGb, budget',
  ),
  8,
);
export type MeteredFormat = v.InferOutput<typeof meteredFormat>;

/** A scenario file. docs/scenario.schema.json is generated from this. */
export const scenarioFormat = fields({
  $schema: v.optional(text(400)),
  title: v.optional(text(120)),
  source: v.optional(text()),
  description: v.optional(text(20_000)),
  topology: topologyFormat,
  server: v.optional(serverFormat),
  media: v.optional(mediaFormat),
  traffic: v.optional(list(trafficFormat, 64)),
  players: v.optional(playersFormat),
  metered: v.optional(meteredFormat),
  events: v.optional(eventFormat),
  duration: v.optional(time({ min: '1s', max: '2h' })),
  trials: v.optional(whole(1, 1000)),
  seed: v.optional(whole(0, 1_000_000_000)),
  queueSample: v.optional(time({ min: '5ms', max: '60s' })),
  backend: v.optional(oneOf(['emulator', 'kernel'], 'a backend')),
});
export type ScenarioFormat = v.InferOutput<typeof scenarioFormat>;
