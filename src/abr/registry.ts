import type { AbrRule } from './abr-rule';
import { abrRules } from './registry.generated';

/** The rule of that name; undefined if there is none. */
export const findAbrRule = (name: string): AbrRule | undefined =>
  abrRules.find((rule) => rule.name === name);
