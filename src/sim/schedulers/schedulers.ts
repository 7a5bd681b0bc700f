import { Blest } from './blest';
import { Daps } from './daps';
import { Ecf } from './ecf';
import { Mainline } from './mainline';
import { MinRtt } from './min-rtt';
import { RoundRobin } from './round-robin';
import type { Scheduler } from './scheduler';
import { GrSty, TpSty, TrSty, TrStyPrinted } from './sticky';

/** All schedulers by name. */
export const schedulers = {
  mainline: () => new Mainline(),
  'min-rtt': () => new MinRtt(),
  'round-robin': () => new RoundRobin(),
  blest: () => new Blest(),
  ecf: () => new Ecf(),
  daps: () => new Daps(),
  'gr-sty': () => new GrSty(),
  'tp-sty': () => new TpSty(),
  'tr-sty': () => new TrSty(),
  'tr-sty-printed': () => new TrStyPrinted(),
} as const satisfies Record<string, () => Scheduler>;

export type SchedulerName = keyof typeof schedulers;
