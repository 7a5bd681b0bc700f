// Written by scripts/registries.mjs. Do not edit.
import type { AbrRule } from './abr-rule';
import { multipathRule } from './multipath-rule';

/** All of them, by file name. */
export const abrRules: readonly AbrRule[] = [multipathRule];
