// Written by scripts/registries.mjs. Do not edit.
import type { Policy } from './policy';
import { allPolicy } from './all';
import { meteredPolicy } from './metered';
import { modelPolicy } from './model';

/** All of them, by file name. */
export const ownPolicies: readonly Policy[] = [allPolicy, meteredPolicy, modelPolicy];
