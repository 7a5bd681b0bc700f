import { INITIAL_WINDOW, type AckSample, type CongestionControl } from './congestion-control';
import { RoundCounter } from './round-counter';

/** Cardwell et al., ACM Queue 2016, and draft-cardwell-iccrg-bbr-congestion-control-00. */
const HIGH_GAIN = 2 / Math.LN2;
/** Pacing gains of PROBE_BW, one a round trip: one phase probes, the next one drains the queue it made. */
const PROBE_GAINS = [1.25, 0.75, 1, 1, 1, 1, 1, 1] as const;
/** Bandwidth-delay products in flight outside of startup: room for delayed and aggregated acknowledgements. */
const CWND_GAIN = 2;
/** Round trips of the maximum filter of the bandwidth: longer than one cycle of eight phases. */
const BANDWIDTH_ROUNDS = 10;
/** Age at which the minimum round trip expires, so that PROBE_RTT measures it again. */
const MIN_RTT_WINDOW_NS = 10e9;
/** Least time in PROBE_RTT: long enough for flows with different round trips to drain the queue together. */
const PROBE_RTT_NS = 200e6;
/** Least window in segments, which keeps acknowledgements coming, also those of every second segment. */
const MIN_PIPE_WINDOW = 4;
/** Startup ends after `FULL_ROUNDS` round trips in which the bandwidth grows by less than this factor. */
const FULL_GROWTH = 1.25;
const FULL_ROUNDS = 3;
/** Linux paces slightly below the estimate, so that queues drain. */
const PACING_MARGIN = 0.99;

type Mode = 'startup' | 'drain' | 'probe-bw' | 'probe-rtt';

/** BBR version 1: paces at the delivered bandwidth and keeps at most two bandwidth-delay products in flight. */
export class Bbr implements CongestionControl {
  readonly name = 'bbr';
  readonly ownsRecovery = true;
  cwnd = INITIAL_WINDOW;
  ssthresh = Infinity;
  readonly #segmentBits: number;
  readonly #rounds = new RoundCounter();
  #mode: Mode = 'startup';
  #rates: { round: number; rate: number }[] = [];
  #minRttNs = Infinity;
  #minRttAtNs = 0;
  #pacingGain = HIGH_GAIN;
  #cwndGain = HIGH_GAIN;
  #fullRate = 0;
  #fullRounds = 0;
  #filled = false;
  #phase = 0;
  #phaseAtNs = 0;
  #probeEndNs = 0;
  #priorCwnd = 0;
  #lossInRound = false;

  /** @param segmentBytes size of a full packet */
  constructor(segmentBytes = 1500) {
    this.#segmentBits = segmentBytes * 8;
  }

  get pacingBps(): number | undefined {
    const rate = this.#bandwidth;
    if (rate > 0) return rate * this.#pacingGain * this.#segmentBits * PACING_MARGIN;
    return Number.isFinite(this.#minRttNs)
      ? (HIGH_GAIN * INITIAL_WINDOW * this.#segmentBits * 1e9) / this.#minRttNs
      : undefined;
  }

  onAck(sample: AckSample): void {
    const round = this.#rounds.observe(sample);
    this.#observeRate(sample);
    const expired = this.#observeRtt(sample);
    if (round) {
      this.#checkFull(sample.appLimited);
      this.#lossInRound = false;
    }
    this.#changeMode(sample, expired);
    this.#setWindow(sample);
  }

  onCongestion(_nowNs: number, inFlight: number): void {
    if (this.#lossInRound) return;
    this.#lossInRound = true;
    // Packet conservation for the round trip in which the loss was detected.
    this.#priorCwnd = Math.max(this.#priorCwnd, this.cwnd);
    this.cwnd = Math.max(MIN_PIPE_WINDOW, inFlight + 1);
  }

  onRecovered(): void {
    this.cwnd = Math.max(this.cwnd, this.#priorCwnd);
    this.#priorCwnd = 0;
  }

  onTimeout(): void {
    this.#priorCwnd = Math.max(this.#priorCwnd, this.cwnd);
    this.collapse();
  }

  collapse(): void {
    this.cwnd = 1;
  }

  onIdle(): void {
    // The estimates remain; pacing keeps the restart from being a burst.
  }

  /** Segments per second: the maximum of the last ten round trips. */
  get #bandwidth(): number {
    return this.#rates[0]?.rate ?? 0;
  }

  #observeRate({ deliveryRate, appLimited }: AckSample): void {
    if (deliveryRate === undefined) return;
    const { rounds } = this.#rounds;
    this.#rates = this.#rates.filter(({ round }) => rounds - round < BANDWIDTH_ROUNDS);
    if (appLimited && deliveryRate < this.#bandwidth) return;
    // The list stays decreasing: an older, smaller sample can never become the maximum.
    this.#rates = this.#rates.filter(({ rate }) => rate > deliveryRate);
    this.#rates.push({ round: rounds, rate: deliveryRate });
  }

  #observeRtt({ rttNs, nowNs }: AckSample): boolean {
    const expired = nowNs - this.#minRttAtNs > MIN_RTT_WINDOW_NS && this.#minRttAtNs > 0;
    if (rttNs !== undefined && (rttNs <= this.#minRttNs || expired)) {
      this.#minRttNs = rttNs;
      this.#minRttAtNs = nowNs;
    }
    return expired;
  }

  #checkFull(appLimited: boolean): void {
    if (this.#filled || appLimited) return;
    if (this.#bandwidth >= this.#fullRate * FULL_GROWTH) {
      this.#fullRate = this.#bandwidth;
      this.#fullRounds = 0;
      return;
    }
    this.#fullRounds += 1;
    this.#filled = this.#fullRounds >= FULL_ROUNDS;
  }

  #changeMode({ nowNs, inFlight }: AckSample, expired: boolean): void {
    if (this.#mode === 'startup' && this.#filled) this.#enter('drain', 1 / HIGH_GAIN, HIGH_GAIN);
    if (this.#mode === 'drain' && inFlight <= this.#pipe(1)) this.#enterProbe(nowNs);
    if (this.#mode === 'probe-bw') this.#cycle(nowNs, inFlight);
    if (expired && this.#mode !== 'probe-rtt') {
      this.#priorCwnd = Math.max(this.#priorCwnd, this.cwnd);
      this.#enter('probe-rtt', 1, 1);
      this.#probeEndNs = 0;
    }
    if (this.#mode === 'probe-rtt') this.#probeRtt(nowNs, inFlight);
  }

  #enter(mode: Mode, pacingGain: number, cwndGain: number): void {
    this.#mode = mode;
    this.#pacingGain = pacingGain;
    this.#cwndGain = cwndGain;
  }

  #enterProbe(nowNs: number): void {
    // A phase other than the draining one; deterministic instead of random.
    this.#phase = 2;
    this.#phaseAtNs = nowNs;
    this.#enter('probe-bw', PROBE_GAINS[2], CWND_GAIN);
  }

  #cycle(nowNs: number, inFlight: number): void {
    const gain = this.#pacingGain;
    const elapsed = nowNs - this.#phaseAtNs > this.#minRttNs;
    const done =
      gain > 1
        ? elapsed && inFlight >= this.#pipe(gain)
        : elapsed || (gain < 1 && inFlight <= this.#pipe(1));
    if (!done) return;
    this.#phase = (this.#phase + 1) % PROBE_GAINS.length;
    this.#phaseAtNs = nowNs;
    this.#pacingGain = PROBE_GAINS[this.#phase] ?? 1;
  }

  #probeRtt(nowNs: number, inFlight: number): void {
    if (this.#probeEndNs === 0) {
      if (inFlight <= MIN_PIPE_WINDOW) {
        this.#probeEndNs = nowNs + Math.max(PROBE_RTT_NS, this.#minRttNs);
      }
    } else if (nowNs >= this.#probeEndNs) {
      this.#minRttAtNs = nowNs;
      this.cwnd = Math.max(this.cwnd, this.#priorCwnd);
      this.#priorCwnd = 0;
      if (this.#filled) this.#enterProbe(nowNs);
      else this.#enter('startup', HIGH_GAIN, HIGH_GAIN);
    }
  }

  /** Segments of `gain` bandwidth-delay products. */
  #pipe(gain: number): number {
    if (!Number.isFinite(this.#minRttNs)) return INITIAL_WINDOW;
    return Math.ceil((gain * this.#bandwidth * this.#minRttNs) / 1e9) + 3;
  }

  #setWindow({ delivered, totalDelivered, inRecovery }: AckSample): void {
    if (this.#mode === 'probe-rtt') {
      this.cwnd = Math.min(this.cwnd, MIN_PIPE_WINDOW);
      return;
    }
    if (inRecovery && this.#lossInRound) return;
    const target = this.#pipe(this.#cwndGain);
    if (this.#filled) this.cwnd = Math.min(this.cwnd + delivered, target);
    else if (this.cwnd < target || totalDelivered < INITIAL_WINDOW) this.cwnd += delivered;
    this.cwnd = Math.max(this.cwnd, MIN_PIPE_WINDOW);
  }
}
