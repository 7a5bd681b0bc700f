import type { ReferenceRuleName } from '../../core';
import type { ReferenceRule } from './observation';
import { robustMpc } from './robust-mpc';
import { soda } from './soda';
import { throughput2016 } from './throughput-2016';

/** Rules of the literature that our player is compared with, by the name that users write. */
export const referenceRules: Readonly<Record<ReferenceRuleName, ReferenceRule>> = {
  'robust-mpc': robustMpc,
  soda: (observation) => soda(observation),
  'throughput-2016': throughput2016,
};
