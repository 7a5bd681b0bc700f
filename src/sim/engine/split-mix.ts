/** 2^32, which a double holds exactly. */
const TWO_32 = 4_294_967_296;
/** The paper's increment: 2^64 over the golden ratio, made odd. */
const INCREMENT_HIGH = 0x9e3779b9;
const INCREMENT_LOW = 0x7f4a7c15;

/**
 * SplitMix64 (Steele, Lea, Flood, OOPSLA 2014) in two 32-bit halves. It draws the same sequence as the link
 * emulator's generator, so that both make the same decisions.
 */
export class SplitMix64 {
  #high: number;
  #low: number;

  /** @param seed integer from 0 to 2^53 */
  constructor(seed: number) {
    this.#high = Math.floor(seed / TWO_32) >>> 0;
    this.#low = seed >>> 0;
  }

  /** A sequence for one named part of the model. */
  static fromText(seed: number, text: string): SplitMix64 {
    // FNV-1a, then the generator's own mixing.
    let hash = 0x811c9dc5;
    for (let i = 0; i < text.length; i += 1) {
      hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0;
    }
    const first = new SplitMix64(seed);
    first.#high = (first.#high ^ hash) >>> 0;
    first.#low = (first.#low ^ Math.imul(hash, 0x9e3779b1)) >>> 0;
    first.uniform();
    return first;
  }

  /** Skips one draw. */
  skip(): void {
    const sum = this.#low + INCREMENT_LOW;
    this.#low = sum >>> 0;
    this.#high = (this.#high + INCREMENT_HIGH + (sum >= TWO_32 ? 1 : 0)) >>> 0;
  }

  /** Uniform in [0, 1): the upper 53 bits of the next word. */
  uniform(): number {
    this.skip();
    let high = this.#high;
    let low = this.#low;
    // z ^= z >> 30
    low ^= (low >>> 30) | (high << 2);
    high ^= high >>> 30;
    high = multiplyHigh(high, low, 0xbf58476d, 0x1ce4e5b9);
    low = Math.imul(low, 0x1ce4e5b9);
    // z ^= z >> 27
    low ^= (low >>> 27) | (high << 5);
    high ^= high >>> 27;
    high = multiplyHigh(high, low, 0x94d049bb, 0x133111eb);
    low = Math.imul(low, 0x133111eb);
    // z ^= z >> 31
    low ^= (low >>> 31) | (high << 1);
    high ^= high >>> 31;
    return ((high >>> 0) * 2_097_152 + ((low >>> 0) >>> 11)) / 9_007_199_254_740_992;
  }
}

/** Upper 32 bits of a 64-bit product modulo 2^64. */
function multiplyHigh(aHigh: number, aLow: number, bHigh: number, bLow: number): number {
  const a0 = aLow & 0xffff;
  const a1 = aLow >>> 16;
  const b0 = bLow & 0xffff;
  const b1 = bLow >>> 16;
  const low = a0 * b0;
  const middle = a1 * b0 + (low >>> 16);
  const middleLow = (middle & 0xffff) + a0 * b1;
  const carry = a1 * b1 + Math.floor(middle / 65_536) + Math.floor(middleLow / 65_536);
  return (carry + Math.imul(aHigh, bLow) + Math.imul(aLow, bHigh)) | 0;
}
