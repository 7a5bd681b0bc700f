import type { SubflowState } from './scheduler';
import { TpSty } from './tp-sty';

/** TR-STY: TP-STY's condition, and the old path has the shorter round trip (same source; its own wording). */
export class TrSty extends TpSty {
  override readonly name = 'tr-sty';

  protected override commits(home: SubflowState, other: SubflowState): boolean {
    return super.commits(home, other) && home.srttNs < other.srttNs;
  }
}
