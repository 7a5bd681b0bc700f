import { mean } from '../core';
import { receiveWindow, roundTripFor } from './receive-window';

/** Least busy time of a bin of the rate. It is also a round trip: a limited window arrives in one clump of it. */
const BIN_MS = 200;
/** Bins whose largest rate counts, and their age: most fades of a rate show in that time. Chosen; no measurement. */
const RATE_BINS = 10;
const MAX_AGE_MS = 10_000;
/** A longer gap between two pieces, and than two round trips, is a pause of the server or of the player. */
const MAX_GAP_MS = 250;
const GAP_ROUND_TRIPS = 2;
/** Round trips older than this are out of date. */
const RECENT_MS = 3000;
/** Bins of a trial, and of the rate before it; the first half of a trial widens the window. */
const TRIAL_BINS = 10;
/** A wider window stays if the rate has grown by this factor. */
const MIN_GROWTH = 1.1;
/** A round trip that is longer by this factor is tried. */
const MIN_RISE = 1.1;
/** One that is longer by this factor than that of a trial without a gain is tried at once. */
const FURTHER_RISE = 1.3;
/** A trial widens the window by this factor at most: what is taken for a round trip may be the time of a server. */
const MAX_WIDENING = 2;
/** Bins between two trials. They double after a trial without a gain, up to a minute. */
const FIRST_WAIT_BINS = 20;
const MAX_WAIT_BINS = 300;

/** The rate grows no more after this many bins below this factor: the full pipe of BBR (draft-ietf-ccwg-bbr, section 5.3.1.2). */
const FULL_BINS = 3;
const FULL_GROWTH = 1.25;

interface Trial {
  /** Basis before the trial. */
  fromMs: number;
  /** Round trip that led to the trial. */
  rttMs: number;
  rateBefore: number;
  binsLeft: number;
}

/**
 * The receive window for a server over one network. The shortest round trip keeps queues short. It is too short where
 * the round trip varies, as on Wi-Fi and LTE, or behind another download: then the window, not the network, limits the
 * rate, and the rate that is measured confirms the window. So a longer round trip is tried for a while. It stays if the
 * rate grows. A queue of our own makes round trips longer too, and the rate does not grow.
 */
export class WindowEstimate {
  /** Round trip that the window is made for. */
  #basisMs: number | undefined;
  /** Round trips of the last seconds. */
  #recent: { rttMs: number; atMs: number }[] = [];
  /** Rates of the last bins, oldest first. */
  #bins: { rateBps: number; atMs: number }[] = [];
  #bin = { bytes: 0, busyMs: 0 };
  #lastMs = -Infinity;
  #expectedBps = 0;
  #trial: Trial | undefined;
  /** Round trip of the last trial without a gain. */
  #vainMs: number | undefined;
  #waitBins = FIRST_WAIT_BINS;
  #binsUntilTrial = 0;
  /** Largest rate of a bin since the first, and the bins since it grew. */
  #grown = { rateBps: 0, bins: 0 };

  /** Rate for the next seconds, in bit/s; 0 if unknown. */
  get rateBps(): number {
    return Math.max(this.#expectedBps, ...this.#bins.map(({ rateBps }) => rateBps));
  }

  /** Round trip without a queue of our own; undefined before the first. One that is only tried does not count. */
  get roundTripMs(): number | undefined {
    return this.#trial?.fromMs ?? this.#basisMs;
  }

  /** Bytes that the server may have in flight on the only connection. */
  get bytes(): number {
    return this.bytesOfEach(1);
  }

  /** Bytes that the server may have in flight on each of several connections with a request. */
  bytesOfEach(connections: number): number {
    return receiveWindow(this.rateBps, this.#basisMs, connections, this.#isGrowing);
  }

  get #isGrowing(): boolean {
    return this.#grown.bins < FULL_BINS;
  }

  /** @param rateBps what the scheduler expects of the network, 0 if unknown */
  expect(rateBps: number): void {
    this.#expectedBps = rateBps;
  }

  /** Takes the time of a handshake, or from a request to the first byte of its answer. */
  roundTrip(rttMs: number, nowMs: number): void {
    this.#recent = this.#recent.filter(({ atMs }) => nowMs - atMs < RECENT_MS);
    this.#recent.push({ rttMs, atMs: nowMs });
    this.#basisMs = Math.min(this.#basisMs ?? Infinity, rttMs);
  }

  /** Takes bytes of an answer. */
  received(bytes: number, nowMs: number): void {
    const gapMs = nowMs - this.#lastMs;
    this.#lastMs = nowMs;
    const longestMs = Math.max(0, ...this.#recent.map(({ rttMs }) => rttMs));
    // The bytes after a pause were under way during it.
    if (gapMs > Math.max(MAX_GAP_MS, GAP_ROUND_TRIPS * longestMs)) {
      this.#bin = { bytes: 0, busyMs: 0 };
      return;
    }
    this.#bin.bytes += bytes;
    this.#bin.busyMs += gapMs;
    if (this.#bin.busyMs < Math.max(BIN_MS, longestMs)) return;
    const rateBps = (this.#bin.bytes * 8000) / this.#bin.busyMs;
    if (this.#isGrowing) {
      const grows = rateBps >= FULL_GROWTH * this.#grown.rateBps;
      this.#grown = grows ? { rateBps, bins: 0 } : { ...this.#grown, bins: this.#grown.bins + 1 };
    }
    this.#bins.push({ rateBps, atMs: nowMs });
    this.#bins = this.#bins.filter(({ atMs }) => nowMs - atMs < MAX_AGE_MS).slice(-RATE_BINS);
    this.#bin = { bytes: 0, busyMs: 0 };
    this.#step(nowMs);
  }

  #step(nowMs: number): void {
    const recent = this.#recent.filter(({ atMs }) => nowMs - atMs < RECENT_MS);
    const basisMs = this.#basisMs;
    // A rate that grows by itself would pass for the gain of a trial.
    if (this.#isGrowing || recent.length === 0 || basisMs === undefined) return;
    const rttMs = Math.min(...recent.map((one) => one.rttMs));
    const rateBps = mean(this.#bins.slice(-TRIAL_BINS / 2).map((bin) => bin.rateBps)) ?? 0;
    if (this.#trial !== undefined) {
      this.#trial.binsLeft -= 1;
      if (this.#trial.binsLeft === 0) this.#judge(this.#trial, rateBps, rttMs);
      return;
    }
    this.#binsUntilTrial -= 1;
    if (this.#vainMs !== undefined && rttMs > FURTHER_RISE * this.#vainMs) {
      this.#vainMs = undefined;
      this.#waitBins = FIRST_WAIT_BINS;
      this.#binsUntilTrial = 0;
    }
    if (this.#binsUntilTrial > 0 || rttMs <= MIN_RISE * basisMs) return;
    const widestMs = roundTripFor(MAX_WIDENING * this.bytes, this.rateBps);
    this.#trial = { fromMs: basisMs, rttMs, rateBefore: rateBps, binsLeft: TRIAL_BINS };
    this.#basisMs = Math.min(rttMs, Math.max(widestMs, MAX_WIDENING * basisMs));
  }

  /** Keeps the wider window of a trial, or goes back. */
  #judge({ fromMs, rttMs, rateBefore }: Trial, rateBps: number, nowRttMs: number): void {
    const isBetter = rateBps >= MIN_GROWTH * rateBefore;
    this.#trial = undefined;
    if (!isBetter) this.#basisMs = Math.min(fromMs, nowRttMs);
    this.#vainMs = isBetter ? undefined : rttMs;
    this.#waitBins = isBetter ? FIRST_WAIT_BINS : Math.min(MAX_WAIT_BINS, 2 * this.#waitBins);
    this.#binsUntilTrial = isBetter ? 0 : this.#waitBins;
  }
}
