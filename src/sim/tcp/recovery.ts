import type { CongestionControl } from '../congestion/congestion-control';
import { Prr } from './prr';

/** `open`: no loss. `recovery`: repairs losses. `loss`: after a time-out. */
export type RecoveryState = 'open' | 'recovery' | 'loss';

/** The sender after the losses of an acknowledgement were detected. */
export interface RepairInput {
  nowNs: number;
  hasNewLoss: boolean;
  /** The acknowledgement reports a congestion mark (ECN). */
  marked: boolean;
  /** Segments that this acknowledgement delivered, and those in flight now. */
  delivered: number;
  inFlight: number;
  unaSeq: number;
  nextSeq: number;
}

/** Episodes of loss recovery: when one begins and ends, and how much may be sent meanwhile (RFC 6937). */
export class Recovery {
  state: RecoveryState = 'open';
  readonly #congestion: CongestionControl;
  readonly #prr = new Prr();
  #recoverySeq = 0;
  #reducedSeq = -1;
  /** Time of the first retransmission since a time-out that may have been spurious; -1: none yet. */
  #againNs = -1;
  #mayUndo = false;
  /** Time-outs since data was last acknowledged. */
  #repeats = 0;

  constructor(congestion: CongestionControl) {
    this.#congestion = congestion;
  }

  repair({ nowNs, hasNewLoss, marked, delivered, inFlight, unaSeq, nextSeq }: RepairInput): void {
    if ((hasNewLoss || marked) && this.state === 'open' && unaSeq > this.#reducedSeq) {
      this.#reducedSeq = nextSeq;
      this.#congestion.onCongestion(nowNs, inFlight);
    }
    if (hasNewLoss && this.state === 'open') {
      this.state = 'recovery';
      this.#recoverySeq = nextSeq;
      this.#prr.begin(inFlight + delivered);
    }
    if (this.state === 'recovery') {
      this.#prr.onAck(delivered, inFlight, this.#congestion.cwnd, !hasNewLoss);
    }
  }

  /** Ends the episode once all data sent before it is acknowledged. */
  leave(nowNs: number, unaSeq: number): void {
    if (this.state === 'open' || unaSeq < this.#recoverySeq) return;
    if (this.state === 'recovery') this.#congestion.onRecovered(nowNs);
    this.state = 'open';
  }

  /** Linux (tcp_enter_loss): the threshold is reduced once in a window of data, and anew after progress. */
  onTimeout(nowNs: number, inFlight: number, nextSeq: number): void {
    const wasOpen = this.state === 'open';
    if (wasOpen || (this.state === 'loss' && this.#repeats === 0)) {
      this.#mayUndo = true;
      if (wasOpen) this.#againNs = -1;
      this.#congestion.onTimeout(nowNs, inFlight);
    } else {
      this.#congestion.collapse();
    }
    this.#repeats += 1;
    this.state = 'loss';
    this.#recoverySeq = nextSeq;
  }

  /** Data was acknowledged cumulatively. */
  onProgress(): void {
    this.#repeats = 0;
  }

  /**
   * An acknowledgement in `loss` that echoes a time stamp from before the first retransmission is of the
   * original: nothing was lost, it was late (Eifel, RFC 3522; Linux: tcp_try_undo_loss).
   */
  wasSpurious(echoNs: number): boolean {
    return this.state === 'loss' && this.#mayUndo && echoNs >= 0 && echoNs < this.#againNs;
  }

  undo(): void {
    this.#mayUndo = false;
    this.state = 'open';
    this.#congestion.undo?.();
  }

  onRetransmit(nowNs: number): void {
    if (this.#againNs < 0) this.#againNs = nowNs;
  }

  onSend(): void {
    this.#prr.onSend();
  }

  /** Segments that may be sent now. @param room that the window has */
  allowance(room: number): number {
    const isReduced = this.state === 'recovery' && this.#congestion.ownsRecovery !== true;
    return isReduced ? this.#prr.allowance : room;
  }
}
