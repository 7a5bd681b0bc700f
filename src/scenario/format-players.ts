import * as v from 'valibot';
import { fields, flag, list, oneOf, text } from './format-fields';
import { SCENARIO_ABR_NAMES } from './abr-names';
import { time } from './quantity';

const idPattern = /^[A-Za-z0-9][A-Za-z0-9@._-]{0,39}$/;

/** A player: `ours`, `ABR@OVER`, or a map with more settings. */
const playerFields = fields({
  abr: oneOf(SCENARIO_ABR_NAMES, 'an adaptation rule'),
  over: v.optional(text(40)),
  as: v.optional(
    v.pipe(text(40), v.regex(idPattern, 'a name has up to 40 of letters, digits, @, ., _ and -')),
  ),
  app: v.optional(oneOf(['browser', 'electron'], 'an app'), 'browser'),
  correction: v.optional(flag()),
  bufferTarget: v.optional(time({ min: '1s', max: '600s' })),
  policyConfig: v.optional(v.record(v.string(), v.unknown(), 'expected a map of settings')),
});
export type PlayerFormat = string | v.InferOutput<typeof playerFields>;

export const playersFormat = v.pipe(
  list(
    v.union([text(60), playerFields], 'expected ABR@OVER such as dynamic@mptcp, or a map with abr'),
    100,
  ),
  v.minLength(1, 'expected at least one player'),
);
