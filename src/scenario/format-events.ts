import * as v from 'valibot';
import { fields, list, name, oneOf, text, whole } from './format-fields';
import { direction, directionEntries, middlebox } from './format-link';
import { rate, ratio, size, time } from './quantity';

const atAnyTime = { min: '0s', max: '24h' };
const pause = { min: '100ms', max: '1h' };

const answers = ['silent', 'break', 'close', 'slow-head'] as const;

/** The server's answer in place of a correct one. */
const answerFormat = v.union(
  [
    oneOf(answers, 'an answer'),
    fields({ status: whole(400, 599) }),
    fields({ text: text(2000) }),
    fields({ keep: ratio() }),
    fields({ short: ratio() }),
    fields({ corruptFrom: size({ min: '0B', max: '1GB' }) }),
    fields({ rate: rate() }),
    fields({ late: time({ min: '1ms', max: '10min' }) }),
    fields({ idle: time({ min: '100ms', max: '10min' }) }),
  ],
  `expected one of ${answers.join(', ')}, or a map with one of status, text, keep, short, corruptFrom, rate, late, idle`,
);
export type AnswerFormat = v.InferOutput<typeof answerFormat>;

const eventItem = fields({
  at: time(atAnyTime),
  path: v.optional(name()),
  link: v.optional(name()),
  state: v.optional(oneOf(['up', 'down', 'blackhole'], 'a state')),
  ...directionEntries,
  down: v.optional(direction),
  up: v.optional(direction),
  ab: v.optional(direction),
  ba: v.optional(direction),
  middlebox: v.optional(
    v.union([oneOf(['none'], 'a middlebox'), middlebox], 'expected none, or a map of effects'),
  ),
  address: v.optional(oneOf(['new'], 'an address')),
  server: v.optional(oneOf(['down'], 'a state of the server')),
  answer: v.optional(answerFormat),
  match: v.optional(text(200)),
  times: v.optional(whole(1, 100_000)),
  kill: v.optional(oneOf(['browser', 'renderer'], 'a process of the player')),
  suspend: v.optional(time(pause)),
  hang: v.optional(time(pause)),
  clock: v.optional(time(atAnyTime)),
  for: v.optional(time({ min: '10ms', max: '24h' })),
  every: v.optional(time({ min: '20ms', max: '24h' })),
  until: v.optional(time(atAnyTime)),
});
export type EventFormat = v.InferOutput<typeof eventItem>;

export const eventFormat = list(eventItem);
