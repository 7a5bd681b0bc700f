import type { AbrRule } from './abr-rule';
import { abrRules } from './registry.generated';

/** The rule of that name; undefined if there is none. */
export function findAbrRule(
  name: string,
  from: readonly AbrRule[] = abrRules,
): AbrRule | undefined {
  return from.find((rule) => rule.name === name);
}
