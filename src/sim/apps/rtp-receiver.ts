import type { Simulation } from '../engine/simulation';
import type { Packet, Receiver } from '../packet';

/** The fields of an RTP packet that a receiver needs. */
export interface RtpPayload {
  /** Sequence number from 0, without wrapping. */
  sequence: number;
  sentNs: number;
}

/** Sums over any number of streams. */
export interface RtpTotals {
  /** Packets expected, and packets received. */
  expected: number;
  received: number;
  delaySumNs: number;
  delayMaxNs: number;
  /** Differences of the transit times of consecutive packets. */
  differenceSumNs: number;
  differences: number;
}

export const NO_RTP: RtpTotals = {
  expected: 0,
  received: 0,
  delaySumNs: 0,
  delayMaxNs: 0,
  differenceSumNs: 0,
  differences: 0,
};

/** The receiving end of one RTP stream: counts loss and jitter (RFC 3550, A.3 and 6.4.1). */
export class RtpReceiver implements Receiver {
  /** Packets whose arrival time has passed; the sender keeps this. Packets that arrived earlier count too. */
  due = 0;
  readonly #simulation: Simulation;
  readonly #totals: RtpTotals = { ...NO_RTP };
  #highest = -1;
  #transitNs = -1;

  constructor(simulation: Simulation) {
    this.#simulation = simulation;
  }

  receive(packet: Packet): void {
    const { sequence, sentNs } = packet.payload as RtpPayload;
    const transitNs = this.#simulation.nowNs - sentNs;
    const totals = this.#totals;
    if (this.#transitNs >= 0) {
      totals.differences += 1;
      totals.differenceSumNs += Math.abs(transitNs - this.#transitNs);
    }
    this.#transitNs = transitNs;
    this.#highest = Math.max(this.#highest, sequence);
    totals.received += 1;
    totals.delaySumNs += transitNs;
    totals.delayMaxNs = Math.max(totals.delayMaxNs, transitNs);
  }

  totals(): RtpTotals {
    return { ...this.#totals, expected: Math.max(this.due, this.#highest + 1) };
  }
}

export function addRtp(a: RtpTotals, b: RtpTotals): RtpTotals {
  return {
    expected: a.expected + b.expected,
    received: a.received + b.received,
    delaySumNs: a.delaySumNs + b.delaySumNs,
    delayMaxNs: Math.max(a.delayMaxNs, b.delayMaxNs),
    differenceSumNs: a.differenceSumNs + b.differenceSumNs,
    differences: a.differences + b.differences,
  };
}

/** Quality of RTP streams; null without packets. */
export interface RtpQuality {
  expected: number;
  received: number;
  /** Share of lost packets, 0 to 1. */
  lossRatio: number | null;
  /** One way. */
  delayMeanMs: number | null;
  delayMaxMs: number | null;
  /** Mean difference of the transit times of consecutive packets. */
  jitterMs: number | null;
}

export function rtpQuality(totals: RtpTotals): RtpQuality {
  const { expected, received, delaySumNs, delayMaxNs, differenceSumNs, differences } = totals;
  return {
    expected,
    received,
    lossRatio: expected > 0 ? Math.max(0, 1 - received / expected) : null,
    delayMeanMs: received > 0 ? delaySumNs / received / 1e6 : null,
    delayMaxMs: received > 0 ? delayMaxNs / 1e6 : null,
    jitterMs: differences > 0 ? differenceSumNs / differences / 1e6 : null,
  };
}
