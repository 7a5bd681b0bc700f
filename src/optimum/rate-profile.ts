/**
 * A rate over time, constant between steps: `rateBps[i]` from `atMs[i]` to `atMs[i + 1]`, the last one for good.
 * `atMs` rises and begins with 0.
 */
export interface RateProfile {
  readonly atMs: readonly number[];
  readonly rateBps: readonly number[];
}

/** The rate from `atMs` on; `rates` is asked again at the next change. */
export function profileOf(
  changesAtMs: Iterable<number>,
  rateAt: (ms: number) => number,
): RateProfile {
  const times = [...new Set([0, ...changesAtMs])].filter((ms) => ms >= 0).sort((a, b) => a - b);
  const atMs: number[] = [];
  const rateBps: number[] = [];
  for (const ms of times) {
    const rate = rateAt(ms);
    if (rateBps.length > 0 && rate === rateBps.at(-1)) continue;
    atMs.push(ms);
    rateBps.push(rate);
  }
  return { atMs, rateBps };
}

/** Combines profiles at every change of one of them. */
export function combineProfiles(
  profiles: readonly RateProfile[],
  combine: (rates: readonly number[]) => number,
): RateProfile {
  const cursors = profiles.map(() => 0);
  const changes: number[] = [];
  for (const { atMs } of profiles) for (const ms of atMs) changes.push(ms);
  return profileOf(changes, (ms) =>
    combine(
      profiles.map(({ atMs, rateBps }, i) => {
        let at = cursors[i] ?? 0;
        while ((atMs[at + 1] ?? Infinity) <= ms) at += 1;
        cursors[i] = at;
        return rateBps[at] ?? 0;
      }),
    ),
  );
}

/** Volume delivered by a time, and the time at which a volume is delivered. */
export interface Volume {
  /** Bits from time 0; 0 before. */
  bitsAt(ms: number): number;
  /** Infinity if the profile never delivers this volume. */
  timeOf(bits: number): number;
}

/** Integrates a profile; each query costs a binary search. */
export function volumeOf({ atMs, rateBps }: RateProfile): Volume {
  const sums: number[] = [0];
  for (let i = 1; i < atMs.length; i += 1) {
    const ms = (atMs[i] ?? 0) - (atMs[i - 1] ?? 0);
    sums.push((sums[i - 1] ?? 0) + ((rateBps[i - 1] ?? 0) * ms) / 1000);
  }
  return {
    bitsAt(ms) {
      if (!(ms > 0)) return 0;
      const i = lastAtMost(atMs, ms);
      return (sums[i] ?? 0) + ((rateBps[i] ?? 0) * (ms - (atMs[i] ?? 0))) / 1000;
    },
    timeOf(bits) {
      if (!(bits > 0)) return 0;
      // The step in which the sum passes `bits`, not a step at rate 0 after it.
      const i = Math.max(0, lastBelow(sums, bits));
      const rate = rateBps[i] ?? 0;
      return rate > 0 ? (atMs[i] ?? 0) + ((bits - (sums[i] ?? 0)) * 1000) / rate : Infinity;
    },
  };
}

/** Index of the last value that is at most `limit`, in rising `values`; 0 if none is. */
function lastAtMost(values: readonly number[], limit: number): number {
  return search(values, (value) => value <= limit);
}

function lastBelow(values: readonly number[], limit: number): number {
  return search(values, (value) => value < limit);
}

function search(values: readonly number[], holds: (value: number) => boolean): number {
  let low = 0;
  let high = values.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (holds(values[middle] ?? Infinity)) low = middle;
    else high = middle - 1;
  }
  return low;
}
