import { emptyAckSample, type CongestionControl } from '../congestion/congestion-control';
import type { Simulation } from '../engine/simulation';
import { Timer } from '../engine/timer';
import { DeliveryRate } from './delivery-rate';
import { Pacer } from './pacer';
import { Prr } from './prr';
import { Rack } from './rack';
import { RoundTrip } from './round-trip';
import type { Chunk, TcpSegment } from './segment';
import { SentList, type ArrivalListener, type Sent } from './sent-list';

/** Where a sender gets what to send. */
export interface ChunkSource {
  /** The next bytes, at most `maxBytes`; undefined: nothing to send now. */
  take(maxBytes: number): Chunk | undefined;
  /** Nothing comes, and it is the application that has no more: rates measured now say little. */
  readonly isExhausted: boolean;
}

export interface SenderOptions {
  /** Payload of a full segment. */
  segmentBytes: number;
  /** What each segment carries besides. */
  headerBytes: number;
  congestion: CongestionControl;
  source: ChunkSource;
  /** Puts a segment on the wire. */
  transmit: (chunk: Chunk, seq: number) => void;
  /** Told how many segments a retransmission time-out found lost, for the layer above. */
  onTimeout?: () => void;
}

/** `open`: nothing lost. `recovery`: repairing. `loss`: after a time-out. */
export type SenderState = 'open' | 'recovery' | 'loss';

/** Linux: the tail loss probe waits so long for a delayed acknowledgement of a lone segment. */
const PROBE_LONE_NS = 200e6;

/**
 * The sending half of a TCP connection: SACK-based recovery with RACK and tail loss probes (RFC 8985),
 * proportional rate reduction (RFC 6937), time-outs (RFC 6298) and idle restart (RFC 2861). The window is the
 * congestion control's.
 */
export class TcpSender implements ArrivalListener {
  readonly roundTrip = new RoundTrip();
  readonly congestion: CongestionControl;
  state: SenderState = 'open';
  /** Segments sent again, and time-outs. */
  retransmits = 0;
  timeouts = 0;
  readonly #simulation: Simulation;
  readonly #options: SenderOptions;
  readonly #sent = new SentList();
  readonly #rack = new Rack();
  readonly #rate = new DeliveryRate();
  readonly #prr = new Prr();
  readonly #timer: Timer;
  readonly #pacer: Pacer;
  #timerKind: 'rto' | 'probe' | 'reorder' = 'rto';
  #unaSeq = 0;
  #nextSeq = 0;
  #recoverySeq = 0;
  #reducedSeq = -1;
  #lastSentNs = 0;
  #windowLimited = false;
  #probed = false;
  #started = false;
  /** When the latest segment was sent that the present acknowledgement tells of and that was sent once; -1: none. */
  #newestNs = -1;
  /** Told anew with every acknowledgement. */
  readonly #sample = emptyAckSample();

  constructor(simulation: Simulation, options: SenderOptions) {
    this.#simulation = simulation;
    this.#options = options;
    this.congestion = options.congestion;
    this.#timer = new Timer(simulation, () => this.#onTimer());
    this.#pacer = new Pacer(simulation, () => this.push());
  }

  /** Segments in the network. */
  get inFlight(): number {
    return this.#sent.inFlight;
  }

  /** Segments sent and not acknowledged. */
  get outstanding(): number {
    return this.#sent.count;
  }

  get bytesAcked(): number {
    return this.#unaSeq;
  }

  get bytesSent(): number {
    return this.#nextSeq;
  }

  /** Segments the window still lets through. */
  get room(): number {
    return Math.max(0, Math.floor(this.congestion.cwnd) - this.#sent.inFlight);
  }

  /** Bits per second at which the window is being sent, as Linux paces: twice in slow start, 1.2 times after. */
  get pacingBps(): number {
    const own = this.congestion.pacingBps;
    if (own !== undefined) return own;
    const { srttNs } = this.roundTrip;
    if (srttNs === 0) return Infinity;
    const factor = this.congestion.cwnd < this.congestion.ssthresh / 2 ? 2 : 1.2;
    return (factor * this.congestion.cwnd * this.#options.segmentBytes * 8e9) / srttNs;
  }

  /** The connection is established. @param rttNs of the handshake, where it can be told */
  start(rttNs: number | undefined): void {
    this.#started = true;
    if (rttNs !== undefined) this.roundTrip.observe(rttNs, this.#simulation.nowNs);
    this.push();
  }

  /** Chunks that are sent and not acknowledged, for a connection that sends them again elsewhere. */
  unacknowledged(): Chunk[] {
    return this.#sent.unacknowledged();
  }

  /** Ends everything; nothing is sent any more. */
  close(): void {
    this.#started = false;
    this.#timer.cancel();
    this.#pacer.cancel();
  }

  /** Sends whatever may be sent. */
  push(): void {
    if (!this.#started) return;
    this.#restartAfterIdle();
    let sentAny = false;
    for (;;) {
      const { nowNs } = this.#simulation;
      if (this.#pacer.holdsBack(this.congestion.pacingBps)) break;
      if (this.#allowance() <= 0) {
        this.#windowLimited = true;
        break;
      }
      if (!this.#sendOne(nowNs)) {
        if (this.#options.source.isExhausted) this.#rate.onAppLimited(this.#sent.inFlight);
        break;
      }
      sentAny = true;
    }
    if (sentAny || !this.#timer.isSet) this.#arm();
  }

  /** An acknowledgement came in. */
  onAck(segment: TcpSegment): void {
    const { nowNs } = this.#simulation;
    const priorInFlight = this.#sent.inFlight;
    const deliveredBefore = this.#rate.delivered;
    const advanced = segment.ack > this.#unaSeq;
    this.#newestNs = -1;
    this.#sent.take(segment.ack, segment.sack, this);
    if (advanced) {
      this.#unaSeq = segment.ack;
      this.#probed = false;
      this.roundTrip.endBackOff();
    }
    const rttNs = this.#newestNs < 0 ? undefined : nowNs - this.#newestNs;
    if (rttNs !== undefined) this.roundTrip.observe(rttNs, nowNs);
    const delivered = this.#rate.delivered - deliveredBefore;
    this.#repair(nowNs, segment.ece, delivered);
    this.#leaveRecovery(nowNs);
    if (delivered > 0) this.#tellCongestion(nowNs, rttNs, delivered, priorInFlight);
    if (advanced || delivered > 0) this.#arm();
    this.push();
  }

  /** For the list of what is under way. */
  onArrival(sent: Sent): void {
    const { nowNs } = this.#simulation;
    this.#rate.onDelivered(sent, nowNs);
    this.#rack.onArrival(sent, nowNs, this.roundTrip.minNs);
    if (!sent.retransmitted && sent.sentNs > this.#newestNs) this.#newestNs = sent.sentNs;
  }

  #tellCongestion(
    nowNs: number,
    rttNs: number | undefined,
    delivered: number,
    priorInFlight: number,
  ): void {
    this.#rate.sample(nowNs, this.roundTrip.minNs);
    const sample = this.#sample;
    sample.nowNs = nowNs;
    sample.delivered = delivered;
    sample.rttNs = rttNs;
    sample.srttNs = this.roundTrip.srttNs;
    sample.minRttNs = this.roundTrip.minNs;
    sample.priorInFlight = priorInFlight;
    sample.inFlight = this.#sent.inFlight;
    sample.windowLimited = this.#windowLimited;
    sample.deliveryRate = this.#rate.rate;
    sample.appLimited = this.#rate.appLimited;
    sample.totalDelivered = this.#rate.delivered;
    sample.priorDelivered = this.#rate.prior;
    sample.inRecovery = this.state === 'recovery';
    this.congestion.onAck(sample);
    this.#windowLimited = false;
  }

  /** Finds losses and begins recovery. */
  #repair(nowNs: number, marked: boolean, delivered: number): void {
    const lostBefore = this.#sent.lost;
    if (this.#sent.count > 0) this.#detect(nowNs);
    const lostNow = this.#sent.lost > lostBefore;
    if ((lostNow || marked) && this.state === 'open' && this.#unaSeq > this.#reducedSeq) {
      this.#reducedSeq = this.#nextSeq;
      this.congestion.onCongestion(nowNs, this.#sent.inFlight);
    }
    if (lostNow && this.state === 'open') {
      this.state = 'recovery';
      this.#recoverySeq = this.#nextSeq;
      this.#prr.begin(this.#sent.inFlight + delivered);
    }
    if (this.state === 'recovery') {
      this.#prr.onAck(delivered, this.#sent.inFlight, this.congestion.cwnd, !lostNow);
    }
  }

  #detect(nowNs: number): void {
    const { minNs, srttNs } = this.roundTrip;
    const againNs = this.#rack.detect(this.#sent, nowNs, minNs, srttNs, this.state !== 'open');
    if (againNs === Infinity) return;
    this.#timerKind = 'reorder';
    this.#timer.setAt(againNs);
  }

  #leaveRecovery(nowNs: number): void {
    if (this.state === 'open' || this.#unaSeq < this.#recoverySeq) return;
    if (this.state === 'recovery') this.congestion.onRecovered(nowNs);
    this.state = 'open';
  }

  /** Segments that may be sent now. */
  #allowance(): number {
    if (this.state === 'recovery' && this.congestion.ownsRecovery !== true) {
      return this.#prr.allowance;
    }
    return this.room;
  }

  #sendOne(nowNs: number): boolean {
    const lost = this.#sent.firstLost;
    if (lost !== undefined) {
      this.#rate.onSend(lost, nowNs, this.#sent.inFlight);
      this.#sent.markSent(lost, nowNs);
      this.retransmits += 1;
      this.#transmit(lost, nowNs);
      return true;
    }
    return this.#sendNew(nowNs);
  }

  #sendNew(nowNs: number): boolean {
    const chunk = this.#options.source.take(this.#options.segmentBytes);
    if (chunk === undefined) return false;
    const sent = this.#sent.append(chunk, this.#nextSeq, nowNs);
    this.#rate.onSend(sent, nowNs, this.#sent.inFlight - 1);
    this.#nextSeq = sent.endSeq;
    this.#transmit(sent, nowNs);
    return true;
  }

  #transmit(sent: Sent, nowNs: number): void {
    this.#lastSentNs = nowNs;
    this.#prr.onSend();
    this.#pacer.onSend(sent.chunk.bytes + this.#options.headerBytes, this.congestion.pacingBps);
    this.#options.transmit(sent.chunk, sent.seq);
  }

  #restartAfterIdle(): void {
    const { nowNs } = this.#simulation;
    const idleNs = nowNs - this.#lastSentNs;
    const { rtoNs } = this.roundTrip;
    if (this.#sent.count > 0 || this.#lastSentNs === 0 || idleNs < rtoNs) return;
    this.congestion.onIdle(nowNs, Math.floor(idleNs / rtoNs));
    this.#lastSentNs = nowNs;
  }

  /** Sets the timer that fits: none, a tail loss probe, or a time-out. */
  #arm(): void {
    if (this.#timer.isSet && this.#timerKind === 'reorder') return;
    const oldest = this.#sent.first;
    if (oldest === undefined) {
      this.#timer.cancel();
      return;
    }
    const { nowNs } = this.#simulation;
    const rtoAtNs = Math.max(nowNs, oldest.sentNs) + this.roundTrip.rtoNs;
    const probeAtNs = nowNs + this.#probeNs();
    const probes = this.state === 'open' && !this.#probed && this.roundTrip.srttNs > 0;
    this.#timerKind = probes && probeAtNs < rtoAtNs ? 'probe' : 'rto';
    this.#timer.setAt(this.#timerKind === 'probe' ? probeAtNs : rtoAtNs);
  }

  /** PTO of RFC 8985, section 7.2. */
  #probeNs(): number {
    const lone = this.#sent.count === 1 ? PROBE_LONE_NS : 0;
    return Math.round(2 * this.roundTrip.srttNs + lone);
  }

  #onTimer(): void {
    const { nowNs } = this.#simulation;
    if (this.#timerKind === 'reorder') {
      this.#timerKind = 'rto';
      this.#repair(nowNs, false, 0);
      if (!this.#timer.isSet) this.#arm();
    } else if (this.#timerKind === 'probe') {
      this.#probe(nowNs);
    } else {
      this.#timeOut(nowNs);
    }
    this.push();
  }

  /** Sends new data beyond the window, or the last segment again, so that a lost tail is found without a time-out. */
  #probe(nowNs: number): void {
    this.#probed = true;
    const last = this.#sent.last;
    if (!this.#sendNew(nowNs) && last !== undefined && !last.sacked && !last.lost) {
      this.#sent.markSent(last, nowNs);
      this.retransmits += 1;
      this.#transmit(last, nowNs);
    }
    this.#arm();
  }

  #timeOut(nowNs: number): void {
    this.timeouts += 1;
    this.roundTrip.backOff();
    if (this.state !== 'loss') this.congestion.onTimeout(nowNs, this.#sent.inFlight);
    this.state = 'loss';
    this.#recoverySeq = this.#nextSeq;
    this.#sent.markAllLost();
    this.#options.onTimeout?.();
    this.#timerKind = 'rto';
    this.#timer.setIn(this.roundTrip.rtoNs);
  }
}
