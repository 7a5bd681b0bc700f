import { defineAbrRule } from './abr-rule';
import { chooseRung } from './choose-rung';

/** The default rule: a stochastic programme over the forecast of all paths (`plan.ts`). */
export const multipathRule = defineAbrRule({
  name: 'multipath',
  summary: 'Plans ten segments ahead over the forecast of all paths',
  choose: chooseRung,
});
