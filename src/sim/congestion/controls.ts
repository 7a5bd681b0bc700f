import { Balia } from './balia';
import { Bbr } from './bbr';
import { Compound } from './compound';
import type { CongestionControl, SubflowView } from './congestion-control';
import { Cubic } from './cubic';
import { Lia } from './lia';
import { Mcc } from './mcc';
import { Olia } from './olia';
import { Reno } from './reno';
import { Vegas } from './vegas';
import { WVegas } from './wvegas';

/**
 * Creates the control of a subflow.
 * @param group all subflows of its end, including later ones
 */
export type CreateCongestion = (group: readonly SubflowView[]) => CongestionControl;

/** All congestion controls by name. The coupled ones look at their siblings. */
export const congestionControls = {
  reno: () => new Reno(),
  cubic: () => new Cubic(),
  compound: () => new Compound(),
  bbr: () => new Bbr(),
  vegas: () => new Vegas(),
  lia: (group) => new Lia(group),
  olia: (group) => new Olia(group),
  balia: (group) => new Balia(group),
  wvegas: (group) => new WVegas(group),
  mcc: (group) => new Mcc(group),
} as const satisfies Record<string, CreateCongestion>;

export type CongestionName = keyof typeof congestionControls;

/** Prefix of the coupled controls in the kernel (`native/congestion`). */
const KERNEL_PREFIX = 'mpd_';

/**
 * The control with a name of the simulator or of the kernel: `lia` is `mpd_lia` there.
 * @returns undefined without a simulation of it
 */
export function congestionNamed(name: string): CreateCongestion | undefined {
  const own = name.startsWith(KERNEL_PREFIX) ? name.slice(KERNEL_PREFIX.length) : name;
  return new Map<string, CreateCongestion>(Object.entries(congestionControls)).get(own);
}
