import type { SplitMix64 } from '../engine/split-mix';
import { Ecn, type Packet } from '../packet';
import type { PacketFifo } from './packet-fifo';
import type { DropCounts } from './packet-queue';

/** Parameters of PIE (RFC 8033, section 4). */
export interface PieConfig {
  /** QDELAY_REF. */
  targetNs: number;
  /** T_UPDATE. */
  updateNs: number;
  /** MAX_BURST. */
  maxBurstNs: number;
  ecn: boolean;
  /** mark_ecnth. */
  ecnThreshold: number;
}

/** Section 4.2, in 1/s: gains of the distance from the target and of the trend. */
const ALPHA = 0.125;
const BETA = 1.25;
/** MEAN_PKTSIZE of section 4.1: below two such packets nothing is dropped. */
const MEAN_PACKET_BYTES = 1500;
/** Section 4.1: below this probability, and below half the target, nothing is dropped. */
const CALM_PROBABILITY = 0.2;
/** Section 4.2: factor of each update of an idle queue. */
const IDLE_DECAY = 0.98;
/** Section 5.4: never drop below the first, always above the second, so that drops are evenly spaced. */
const SPACED_FROM = 0.85;
const SPACED_TO = 8.5;
/** Section 5.5: upper bound of one update's growth, from this probability on. */
const MAX_STEP = 0.02;
const HIGH_PROBABILITY = 0.1;
/** Above this delay `MAX_STEP` is added to the control law's step. Not in RFC 8033: Linux has it (pie_calculate_probability). */
const EXTREME_DELAY_NS = 250_000_000;

/**
 * The PIE controller of one queue (RFC 8033), step by step like the link emulator's. It takes the age of the
 * queue's head as the delay, and computes the updates due since the last event at the next event.
 */
export class Pie {
  dropProbability = 0;
  readonly #config: PieConfig;
  #accumulated = 0;
  #previousDelayNs = 0;
  #burstAllowanceNs: number;
  #nextUpdateNs = 0;

  constructor(config: PieConfig) {
    this.#config = config;
    this.#burstAllowanceNs = config.maxBurstNs;
  }

  /**
   * Puts an arriving packet into the queue, marked or not, or drops it.
   * @param isFull the limit of the queue is reached, so the packet is dropped (appendix A)
   * @returns true if the packet is in the queue
   */
  enqueue(
    queue: PacketFifo,
    packet: Packet,
    { isFull, nowNs, random }: { isFull: boolean; nowNs: number; random: SplitMix64 },
    counts: DropCounts,
  ): boolean {
    this.catchUp(queue, nowNs);
    if (isFull || this.#dropsEarly(queue, random)) {
      this.#accumulated = 0;
      const { ecn, ecnThreshold } = this.#config;
      const mayMark = ecn && packet.ecn !== Ecn.notCapable && this.dropProbability < ecnThreshold;
      if (isFull || !mayMark) {
        counts.drops += 1;
        return false;
      }
      packet.ecn = Ecn.congestion;
      counts.marks += 1;
    }
    packet.arrivedNs = nowNs;
    queue.push(packet);
    return true;
  }

  /** Computes the updates due until now. Call it before each change of the queue. */
  catchUp(queue: PacketFifo, nowNs: number): void {
    const { updateNs, maxBurstNs } = this.#config;
    if (this.#nextUpdateNs === 0) this.#nextUpdateNs = nowNs + updateNs;
    while (this.#nextUpdateNs <= nowNs) {
      this.#update(queue.headAgeNs(this.#nextUpdateNs));
      this.#nextUpdateNs += updateNs;
      const atRest =
        queue.sizePackets === 0 &&
        this.dropProbability === 0 &&
        this.#burstAllowanceNs === maxBurstNs;
      // The state is stable until the next packet, so hours of idle time cost nothing.
      if (atRest && this.#nextUpdateNs <= nowNs) {
        this.#nextUpdateNs +=
          Math.floor((nowNs - this.#nextUpdateNs) / updateNs) * updateNs + updateNs;
      }
    }
  }

  #dropsEarly(queue: PacketFifo, random: SplitMix64): boolean {
    if (this.#burstAllowanceNs > 0) return false;
    const calm =
      this.#previousDelayNs < Math.floor(this.#config.targetNs / 2) &&
      this.dropProbability < CALM_PROBABILITY;
    if (calm || queue.sizeBytes <= 2 * MEAN_PACKET_BYTES) return false;
    if (this.dropProbability === 0) this.#accumulated = 0;
    this.#accumulated += this.dropProbability;
    if (this.#accumulated < SPACED_FROM) return false;
    return this.#accumulated >= SPACED_TO || random.uniform() < this.dropProbability;
  }

  #update(delayNs: number): void {
    const { targetNs, updateNs, maxBurstNs } = this.#config;
    const delay = delayNs / 1e9;
    const previous = this.#previousDelayNs / 1e9;
    let step = ALPHA * (delay - targetNs / 1e9) + BETA * (delay - previous);
    step /= tuningDivisor(this.dropProbability);
    if (this.dropProbability >= HIGH_PROBABILITY && step > MAX_STEP) step = MAX_STEP;
    if (delayNs > EXTREME_DELAY_NS) step += MAX_STEP;
    let probability = this.dropProbability + step;
    if (delayNs === 0 && this.#previousDelayNs === 0) probability *= IDLE_DECAY;
    this.dropProbability = Math.min(Math.max(probability, 0), 1);

    this.#burstAllowanceNs -= Math.min(this.#burstAllowanceNs, updateNs);
    const halfTargetNs = Math.floor(targetNs / 2);
    if (
      this.dropProbability === 0 &&
      delayNs < halfTargetNs &&
      this.#previousDelayNs < halfTargetNs
    ) {
      this.#burstAllowanceNs = maxBurstNs;
    }
    this.#previousDelayNs = delayNs;
  }
}

/** The auto-tuning of section 4.2: the step shrinks with the probability, for a constant loop gain. */
function tuningDivisor(probability: number): number {
  if (probability < 0.000001) return 2048;
  if (probability < 0.00001) return 512;
  if (probability < 0.0001) return 128;
  if (probability < 0.001) return 32;
  if (probability < 0.01) return 8;
  return probability < 0.1 ? 2 : 1;
}
