/** Rules to compare with, as their authors describe them and a page without path knowledge would run them. */
export interface RuleInput {
  bitratesBps: readonly number[];
  currentRung: number;
  bufferMs: number;
  bufferTargetMs: number;
  segmentMs: number;
  /** Throughput of the segments so far, newest last. */
  throughputsBps: readonly number[];
}
export type Rule = (input: RuleInput) => number;

function safe(throughputsBps: readonly number[]): number {
  const last = throughputsBps.slice(-4);
  return (0.9 * last.length) / last.reduce((sum, bps) => sum + 1 / Math.max(1, bps), 0);
}

/** Highest rung below 0.9 of the harmonic mean of four segments (dash.js ThroughputRule). */
export const throughputRule: Rule = ({ bitratesBps, throughputsBps }) =>
  throughputsBps.length === 0
    ? 0
    : Math.max(0, bitratesBps.filter((bps) => bps <= safe(throughputsBps)).length - 1);

/** BOLA (Spiteri et al., INFOCOM 2016) with throughput at the start (DYNAMIC of dash.js). */
export const dynamicRule: Rule = (input) => {
  const { bitratesBps, bufferMs, segmentMs } = input;
  if (bufferMs < 10_000) return throughputRule(input);
  const lowest = bitratesBps[0] ?? 1;
  const utilities = bitratesBps.map((bps) => Math.log(bps / lowest) + 1);
  const highest = utilities.at(-1) ?? 1;
  const minimumS = 10;
  const targetS = Math.max(input.bufferTargetMs / 1000, minimumS + 2 * bitratesBps.length);
  const gp = (highest - 1) / (targetS / minimumS - 1);
  const v = minimumS / gp;
  const scores = bitratesBps.map(
    (bps, i) => (v * ((utilities[i] ?? 0) + gp - 1) - bufferMs / 1000) / (bps * (segmentMs / 1000)),
  );
  return scores.indexOf(Math.max(...scores));
};
