/**
 * Model-predictive control: the best sequence of rungs over the next segments, of which the first is taken.
 * Yin et al., A Control-Theoretic Approach for Dynamic Adaptive Video Streaming over HTTP, SIGCOMM 2015, sections 4.2
 * (buffer dynamics, linear QoE) and 5 (RobustMPC: the forecast divided by 1 + the largest recent error). Ours: several
 * rates at once, and a value for what is left in the buffer, so that the horizon's end is not the world's.
 */
import { clamp, interpolate, type Corner } from '../core';

export interface PlanConfig {
  /** Segments looked ahead. Example: 5. */
  horizon: number;
  /** Plans kept for each last rung; more find better ones, slower. Example: 3. */
  beam: number;
  /** Cost of a step, in the height of the step. Example: 1. */
  switchWeight: number;
  /** Cost of a second without a picture, in top bit rates. Example: 1. */
  stallWeight: number;
  /** Cost of a second of start-up delay, in top bit rates. Example: 0.5. */
  startWeight: number;
  /** What a second of buffer is worth at the end, by its share of the target; 1 is break-even with the bits it took. */
  bufferWorth: readonly Corner[];
  /** The value of buffer beyond this does not rise with the target. Example: 24 s. */
  mostTargetMs: number;
  /** Time from a request to its first byte, and what the player needs between two. Example: 30 ms. */
  overheadMs: number;
}

export const defaultPlanConfig: PlanConfig = {
  horizon: 5,
  beam: 3,
  switchWeight: 1,
  stallWeight: 1,
  startWeight: 0.5,
  bufferWorth: [
    [0, 0.8],
    [0.2, 0.4],
    [0.5, 0.1],
    [1, 0],
  ],
  mostTargetMs: 24_000,
  overheadMs: 30,
};

/** One possible future. */
export interface PlanRate {
  rateBps: number;
  /** Probability; all of them sum to 1. */
  weight: number;
}

export interface PlanInput {
  /** Of the ladder, rising. */
  bitratesBps: readonly number[];
  /** -1: nothing was fetched before. */
  currentRung: number;
  bufferMs: number;
  /** The player waits while a further segment would lift the buffer above this. */
  bufferTargetMs: number;
  segmentMs: number;
  /** False before the first frame: then waiting is start-up delay. */
  playing: boolean;
  rates: readonly PlanRate[];
  /** Bytes of segment `ahead` (0 is the next) on a rung. */
  sizeOf: (ahead: number, rung: number) => number;
  /** Highest rung that may be chosen for the next segment. */
  highest?: number | undefined;
  /** Live: media that exists beyond the buffer; what comes later exists only in its time. */
  availableMs?: number | undefined;
}

export interface Plan {
  /** Rung of the next segment. */
  rung: number;
  /** Expected QoE over the horizon with what the rest is worth, Mbit/s. */
  value: number;
}

interface Node {
  first: number;
  last: number;
  score: number;
  /** One for each rate. */
  buffersMs: readonly number[];
  /** Time until the player may ask for what does not exist yet (live), for each rate. */
  edgesMs: readonly number[];
  /** Score, plus what the buffers are worth. */
  value: number;
}

/** The best plan; undefined for an empty ladder. */
export function planRungs(
  input: PlanInput,
  config: PlanConfig = defaultPlanConfig,
): Plan | undefined {
  const { bitratesBps, rates } = input;
  const count = bitratesBps.length;
  if (count === 0 || rates.length === 0) return undefined;
  const start: Node = {
    first: -1,
    last: input.currentRung,
    score: 0,
    buffersMs: rates.map(() => input.bufferMs),
    edgesMs: rates.map(() => input.availableMs ?? Infinity),
    value: 0,
  };
  let nodes: Node[] = [start];
  for (let ahead = 0; ahead < config.horizon; ahead += 1) {
    const next: Node[] = [];
    for (let rung = 0; rung < count; rung += 1) {
      if (ahead === 0 && rung > (input.highest ?? count)) break;
      const reached = nodes.map((node) => extend(node, rung, ahead, input, config));
      reached.sort((a, b) => b.value - a.value);
      next.push(...reached.slice(0, config.beam));
    }
    nodes = next;
  }
  let best: Plan | undefined;
  for (const node of nodes) {
    if (!best || node.value > best.value) best = { rung: node.first, value: node.value };
  }
  return best;
}

function extend(
  node: Node,
  rung: number,
  ahead: number,
  input: PlanInput,
  config: PlanConfig,
): Node {
  const { bitratesBps, segmentMs, rates } = input;
  const quality = (bitratesBps[rung] ?? 0) / 1e6;
  const before = node.last >= 0 ? (bitratesBps[node.last] ?? 0) / 1e6 : quality;
  const top = (bitratesBps.at(-1) ?? 0) / 1e6;
  const bytes = input.sizeOf(ahead, rung);
  const started = input.playing || ahead > 0;
  const stallCost = (top * (started ? config.stallWeight : config.startWeight)) / 1000;
  let score = node.score + quality - config.switchWeight * Math.abs(quality - before);
  const edgesMs: number[] = [];
  const buffersMs = rates.map(({ rateBps, weight }, i) => {
    const bufferMs = node.buffersMs[i] ?? 0;
    const edgeMs = node.edgesMs[i] ?? Infinity;
    const fullMs = Math.max(0, bufferMs + segmentMs - Math.max(input.bufferTargetMs, segmentMs));
    const waitMs = Math.max(fullMs, edgeMs < segmentMs ? segmentMs - edgeMs : 0);
    const loadMs = config.overheadMs + Math.min(60_000, (bytes * 8000) / Math.max(1, rateBps));
    const takenMs = waitMs + loadMs;
    edgesMs.push(edgeMs + takenMs - segmentMs);
    score -= weight * stallCost * Math.max(0, takenMs - bufferMs);
    return Math.max(0, bufferMs - takenMs) + segmentMs;
  });
  const first = node.first < 0 ? rung : node.first;
  const value = score + bufferWorth(buffersMs, input, config);
  return { first, last: rung, score, buffersMs, edgesMs, value };
}

/** What the buffer is worth: the quality that its time of download buys later, less for each further second. */
function bufferWorth(buffersMs: readonly number[], input: PlanInput, config: PlanConfig): number {
  const targetMs = clamp(input.bufferTargetMs, input.segmentMs, config.mostTargetMs);
  const top = input.bitratesBps.at(-1) ?? 0;
  let value = 0;
  for (const [i, { rateBps, weight }] of input.rates.entries()) {
    // What is beyond the highest rung buys nothing.
    const buys = Math.min(rateBps, top) / 1e6 / Math.max(1, input.segmentMs);
    value += weight * buys * bufferValue((buffersMs[i] ?? 0) / targetMs, config) * targetMs;
  }
  return value;
}

/** Integral of `bufferWorth` from 0 to `share`. */
function bufferValue(share: number, { bufferWorth }: PlanConfig): number {
  let value = 0;
  let fromX = 0;
  for (const [x] of [...bufferWorth.slice(1), [Infinity, 0] as Corner]) {
    const toX = Math.min(share, x);
    if (toX <= fromX) break;
    const height = (interpolate(bufferWorth, fromX) + interpolate(bufferWorth, toX)) / 2;
    value += (toX - fromX) * height;
    fromX = toX;
  }
  return value;
}
