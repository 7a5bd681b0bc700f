/**
 * Ways to have come so far, none worse than another in both: `bits` (sent by then, rising) against `qoe` (rising).
 */
export interface Front {
  bits: Float64Array;
  qoe: Float64Array;
}

/**
 * How ways that fall into one bin become one. `bound`: the least bits with the highest QoE, which no way may have:
 * what follows is never below the truth. `real`: the way with the highest QoE: what follows can be had.
 */
export type Thinning = 'bound' | 'real';

/** Gathers ways and keeps those worth following; made once and used for every segment and rung. */
export class FrontBuilder {
  private readonly bits: Float64Array;
  private readonly qoe: Float64Array;
  private readonly binBits: Float64Array;
  private readonly binQoe: Float64Array;
  private count = 0;

  /** @param bins ways kept at most @param room candidates at most for one front */
  constructor(
    private readonly bins: number,
    room: number,
    private readonly thinning: Thinning,
  ) {
    this.bits = new Float64Array(room);
    this.qoe = new Float64Array(room);
    this.binBits = new Float64Array(bins);
    this.binQoe = new Float64Array(bins);
  }

  add(bits: number, qoe: number): void {
    this.bits[this.count] = bits;
    this.qoe[this.count] = qoe;
    this.count += 1;
  }

  /** What is worth following; the builder is empty afterwards. */
  take(): Front {
    const { count } = this;
    this.count = 0;
    return count <= this.bins ? this.sorted(count) : this.binned(count);
  }

  private sorted(count: number): Front {
    const order = Array.from({ length: count }, (_, i) => i).sort(
      (a, b) => (this.bits[a] ?? 0) - (this.bits[b] ?? 0),
    );
    return sweep(
      order.map((i) => this.bits[i] ?? 0),
      order.map((i) => this.qoe[i] ?? 0),
    );
  }

  private binned(count: number): Front {
    let low = Infinity;
    let high = -Infinity;
    for (let i = 0; i < count; i += 1) {
      const bits = this.bits[i] ?? 0;
      if (bits < low) low = bits;
      if (bits > high) high = bits;
    }
    this.binQoe.fill(-Infinity);
    const scale = high > low ? (this.bins - 1e-6) / (high - low) : 0;
    for (let i = 0; i < count; i += 1) {
      const bits = this.bits[i] ?? 0;
      const qoe = this.qoe[i] ?? 0;
      const bin = Math.floor((bits - low) * scale);
      const known = this.binQoe[bin] ?? -Infinity;
      if (this.thinning === 'real') {
        if (qoe > known || (qoe === known && bits < (this.binBits[bin] ?? 0))) {
          this.binQoe[bin] = qoe;
          this.binBits[bin] = bits;
        }
      } else {
        this.binBits[bin] = known === -Infinity ? bits : Math.min(bits, this.binBits[bin] ?? 0);
        this.binQoe[bin] = Math.max(known, qoe);
      }
    }
    return sweep(this.binBits, this.binQoe);
  }
}

/** Drops what is not better than everything that came with fewer bits. `bits` rises; QoE of -Infinity is a hole. */
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
