/** Undominated candidates: `bits` (sent so far, rising) against `qoe` (rising). */
export interface Front {
  bits: Float64Array;
  qoe: Float64Array;
}

/**
 * The merging of the candidates in one bin. `bound`: the least bits with the highest QoE, which no candidate
 * may have, so results stay above the truth. `real`: the candidate with the highest QoE, so results are
 * attainable.
 */
export type Thinning = 'bound' | 'real';

/** Collects candidates and keeps the undominated ones; one object serves every segment and rung. */
export class FrontBuilder {
  readonly #bits: Float64Array;
  readonly #qoe: Float64Array;
  readonly #binBits: Float64Array;
  readonly #binQoe: Float64Array;
  #count = 0;

  /**
   * @param bins upper bound of candidates kept
   * @param room upper bound of candidates per front
   */
  readonly #thinning: Thinning;
  readonly #bins: number;

  constructor(bins: number, room: number, thinning: Thinning) {
    this.#thinning = thinning;
    this.#bins = bins;
    this.#bits = new Float64Array(room);
    this.#qoe = new Float64Array(room);
    this.#binBits = new Float64Array(bins);
    this.#binQoe = new Float64Array(bins);
  }

  add(bits: number, qoe: number): void {
    this.#bits[this.#count] = bits;
    this.#qoe[this.#count] = qoe;
    this.#count += 1;
  }

  /** Returns the undominated candidates; the builder is empty afterwards. */
  take(): Front {
    const count = this.#count;
    this.#count = 0;
    return count <= this.#bins ? this.#sorted(count) : this.#binned(count);
  }

  #sorted(count: number): Front {
    const order = Array.from({ length: count }, (_, i) => i).sort(
      (a, b) => (this.#bits[a] ?? 0) - (this.#bits[b] ?? 0),
    );
    return sweep(
      order.map((i) => this.#bits[i] ?? 0),
      order.map((i) => this.#qoe[i] ?? 0),
    );
  }

  #binned(count: number): Front {
    let low = Infinity;
    let high = -Infinity;
    for (let i = 0; i < count; i += 1) {
      const bits = this.#bits[i] ?? 0;
      if (bits < low) low = bits;
      if (bits > high) high = bits;
    }
    this.#binQoe.fill(-Infinity);
    const scale = high > low ? (this.#bins - 1e-6) / (high - low) : 0;
    for (let i = 0; i < count; i += 1) {
      const bits = this.#bits[i] ?? 0;
      const qoe = this.#qoe[i] ?? 0;
      const bin = Math.floor((bits - low) * scale);
      const known = this.#binQoe[bin] ?? -Infinity;
      if (this.#thinning === 'real') {
        if (qoe > known || (qoe === known && bits < (this.#binBits[bin] ?? 0))) {
          this.#binQoe[bin] = qoe;
          this.#binBits[bin] = bits;
        }
      } else {
        this.#binBits[bin] = known === -Infinity ? bits : Math.min(bits, this.#binBits[bin] ?? 0);
        this.#binQoe[bin] = Math.max(known, qoe);
      }
    }
    return sweep(this.#binBits, this.#binQoe);
  }
}

/** Removes dominated candidates. `bits` rises; a QoE of -Infinity is a hole. */
function sweep(bits: ArrayLike<number>, qoe: ArrayLike<number>): Front {
  const keptBits: number[] = [];
  const keptQoe: number[] = [];
  let best = -Infinity;
  for (let i = 0; i < bits.length; i += 1) {
    const value = qoe[i] ?? -Infinity;
    if (!(value > best)) continue;
    best = value;
    keptBits.push(bits[i] ?? 0);
    keptQoe.push(value);
  }
  return { bits: Float64Array.from(keptBits), qoe: Float64Array.from(keptQoe) };
}
