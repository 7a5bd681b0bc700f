import { WindowControl } from './window-control';

/** Reno (RFC 5681): one segment per round trip, half after a loss. */
export class Reno extends WindowControl {
  override readonly name: string = 'reno';

  protected override avoid(delivered: number): void {
    this.cwnd += delivered / this.cwnd;
  }

  protected override reduced(): number {
    return this.cwnd / 2;
  }
}
