import type { SubflowState } from './scheduler';
import { injectionRate, Sticky } from './sticky';

/**
 * TP-STY: stays on the new path only if its injection rate is higher (paper `sticky-path-switching`, section
 * V).
 */
export class TpSty extends Sticky {
  override readonly name: string = 'tp-sty';

  protected override commits(home: SubflowState, other: SubflowState): boolean {
    return injectionRate(home) < injectionRate(other);
  }
}
