import type { CongestionControl } from '../congestion/congestion-control';
import type { Simulation } from '../engine/simulation';
import { AckReport } from './ack-report';
import { DeliveryRate } from './delivery-rate';
import { IdleRestart } from './idle-restart';
import { LossTimer, type LossTimerKind } from './loss-timer';
import { Pacer, pacingBps } from './pacer';
import { Rack } from './rack';
import { Recovery } from './recovery';
import { RoundTrip } from './round-trip';
import type { Chunk, ChunkSource, TcpSegment } from './segment';
import { SentList, type ArrivalListener, type Sent } from './sent-list';

export interface SenderOptions {
  /** Payload of a full segment. */
  segmentBytes: number;
  /** Option bytes of each segment. */
  headerBytes: number;
  congestion: CongestionControl;
  source: ChunkSource;
  /** Puts a segment on the wire. */
  transmit: (chunk: Chunk, seq: number) => void;
}

/**
 * The sending half of a TCP connection: SACK-based recovery with RACK and tail loss probes (RFC 8985),
 * proportional rate reduction (RFC 6937), time-outs (RFC 6298) and idle restart (RFC 2861). The congestion
 * control sets the window.
 */
export class TcpSender implements ArrivalListener {
  readonly roundTrip = new RoundTrip();
  readonly congestion: CongestionControl;
  /** Time of the last acknowledgement, new or not. */
  lastAckNs = 0;
  /** Retransmitted segments, and time-outs. */
  retransmits = 0;
  timeouts = 0;
  readonly #simulation: Simulation;
  readonly #options: SenderOptions;
  readonly #sent = new SentList();
  readonly #rack = new Rack();
  readonly #rate = new DeliveryRate();
  readonly #report: AckReport;
  readonly #recovery: Recovery;
  readonly #timer: LossTimer;
  readonly #pacer: Pacer;
  readonly #idle: IdleRestart;
  #unaSeq = 0;
  #nextSeq = 0;
  #windowLimited = false;
  #probed = false;
  #started = false;
  /** Send time of the latest never-retransmitted segment covered by the current acknowledgement; -1: none. */
  #newestNs = -1;

  constructor(simulation: Simulation, options: SenderOptions) {
    this.#simulation = simulation;
    this.#options = options;
    this.congestion = options.congestion;
    this.#recovery = new Recovery(options.congestion);
    this.#report = new AckReport(options.congestion, this.roundTrip, this.#rate);
    this.#timer = new LossTimer(simulation, this.roundTrip, (kind) => this.#onTimer(kind));
    this.#pacer = new Pacer(simulation, () => this.push());
    this.#idle = new IdleRestart(options.congestion);
  }

  /** Segments in flight. */
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

  /** Time until its timer expires: a time-out, a probe or a reordering limit; 0 if none is set. */
  get timerLeftNs(): number {
    return this.#timer.leftNs;
  }

  /** Segments the window still allows. */
  get room(): number {
    return Math.max(0, Math.floor(this.congestion.cwnd) - this.#sent.inFlight);
  }

  /** No loss is being repaired. */
  get isOpen(): boolean {
    return this.#recovery.state === 'open';
  }

  /** Sending rate in bits per second. */
  get pacingBps(): number {
    return pacingBps(this.congestion, this.roundTrip.srttNs, this.#options.segmentBytes);
  }

  /**
   * The connection is established.
   * @param rttNs round trip of the handshake, if known
   */
  start(rttNs: number | undefined): void {
    this.#started = true;
    if (rttNs !== undefined) this.#observeRtt(rttNs);
    this.push();
  }

  /** Stops all sending for good. */
  close(): void {
    this.#started = false;
    this.#timer.cancel();
    this.#pacer.cancel();
  }

  /** Sends all segments that the window allows. */
  push(): void {
    if (!this.#started) return;
    if (this.#sent.count === 0) this.#idle.check(this.#simulation.nowNs, this.roundTrip.rtoNs);
    let sentAny = false;
    for (;;) {
      const { nowNs } = this.#simulation;
      if (this.#pacer.holdsBack(this.congestion.pacingBps)) break;
      if (this.#recovery.allowance(this.room) <= 0) {
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

  /** Processes an acknowledgement. */
  onAck(segment: TcpSegment): void {
    const { nowNs } = this.#simulation;
    this.lastAckNs = nowNs;
    const priorInFlight = this.#sent.inFlight;
    const deliveredBefore = this.#rate.delivered;
    const advanced = segment.ack > this.#unaSeq;
    this.#newestNs = -1;
    this.#sent.take(segment.ack, segment.sack, this);
    if (advanced) {
      this.#unaSeq = segment.ack;
      this.#probed = false;
      this.roundTrip.endBackOff();
      this.#recovery.onProgress();
    }
    if (advanced && this.#recovery.wasSpurious(segment.echoNs)) {
      this.#sent.clearLost();
      this.#recovery.undo();
    }
    const rttNs = this.#rttOf(segment, advanced);
    if (rttNs !== undefined) this.#observeRtt(rttNs);
    const delivered = this.#rate.delivered - deliveredBefore;
    this.#repair(nowNs, segment.ece, delivered);
    this.#recovery.leave(nowNs, this.#unaSeq);
    if (delivered > 0) {
      this.#report.send({
        nowNs,
        rttNs,
        delivered,
        priorInFlight,
        inFlight: this.#sent.inFlight,
        windowLimited: this.#windowLimited,
        inRecovery: this.#recovery.state === 'recovery',
      });
      this.#windowLimited = false;
    }
    if (advanced || delivered > 0) this.#arm();
    this.push();
  }

  /** The time stamp gives the round trip if only retransmitted data was acknowledged (Linux: tcp_ack_update_rtt). */
  #rttOf({ echoNs }: TcpSegment, advanced: boolean): number | undefined {
    const { nowNs } = this.#simulation;
    if (this.#newestNs >= 0) return nowNs - this.#newestNs;
    return advanced && echoNs >= 0 ? nowNs - echoNs : undefined;
  }

  #observeRtt(rttNs: number): void {
    this.roundTrip.observe(rttNs, this.#simulation.nowNs, this.#unaSeq, this.#nextSeq);
  }

  /** Callback for the list of segments in flight. */
  onArrival(sent: Sent): void {
    const { nowNs } = this.#simulation;
    this.#rate.onDelivered(sent, nowNs);
    this.#rack.onArrival(sent, nowNs, this.roundTrip.minNs);
    if (!sent.retransmitted && sent.sentNs > this.#newestNs) this.#newestNs = sent.sentNs;
  }

  /** Detects losses and begins recovery. */
  #repair(nowNs: number, marked: boolean, delivered: number): void {
    const lostBefore = this.#sent.lost;
    if (this.#sent.count > 0) this.#detect(nowNs);
    this.#recovery.repair({
      nowNs,
      marked,
      delivered,
      hasNewLoss: this.#sent.lost > lostBefore,
      inFlight: this.#sent.inFlight,
      unaSeq: this.#unaSeq,
      nextSeq: this.#nextSeq,
    });
  }

  #detect(nowNs: number): void {
    const { minNs, srttNs } = this.roundTrip;
    const againNs = this.#rack.detect(
      this.#sent,
      nowNs,
      minNs,
      srttNs,
      this.#recovery.state !== 'open',
    );
    if (againNs !== Infinity) this.#timer.awaitReordering(againNs);
  }

  #sendOne(nowNs: number): boolean {
    const lost = this.#sent.firstLost;
    if (lost !== undefined) {
      this.#rate.onSend(lost, nowNs, this.#sent.inFlight);
      this.#sent.markSent(lost, nowNs);
      this.#recovery.onRetransmit(nowNs);
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
    this.#idle.onSend(nowNs);
    this.#recovery.onSend();
    this.#pacer.onSend(sent.chunk.bytes + this.#options.headerBytes, this.congestion.pacingBps);
    this.#options.transmit(sent.chunk, sent.seq);
  }

  #arm(): void {
    this.#timer.arm(this.#sent, this.isOpen && !this.#probed);
  }

  #onTimer(kind: LossTimerKind): void {
    const { nowNs } = this.#simulation;
    if (kind === 'reorder') {
      this.#repair(nowNs, false, 0);
      if (!this.#timer.isSet) this.#arm();
    } else if (kind === 'probe') {
      this.#probe(nowNs);
    } else {
      this.#timeOut(nowNs);
    }
    this.push();
  }

  /**
   * Sends new data beyond the window, or the last segment again, which reveals a lost tail without a
   * time-out.
   */
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
    this.#recovery.onTimeout(nowNs, this.#sent.inFlight, this.#nextSeq);
    this.#sent.markAllLost();
    this.#timer.backOff();
  }
}
