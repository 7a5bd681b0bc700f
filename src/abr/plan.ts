/**
 * Model-predictive control: the best sequence of rungs over the next segments, of which the first is taken.
 * Yin et al., A Control-Theoretic Approach for Dynamic Adaptive Video Streaming over HTTP, SIGCOMM 2015, sections 4.2
 * (buffer dynamics, linear QoE) and 5 (RobustMPC: the forecast divided by 1 + the largest recent error). Ours: several
 * rates at once, and a value for what is left in the buffer, so that the horizon's end is not the world's.
 */
import { clamp, type Corner } from '../core';
import { createBufferValue } from './buffer-value';

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
    [0.2, 0.35],
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

/** What a step costs that every node takes the same way: one rung of one segment. */
interface Step {
  rung: number;
  quality: number;
  /** One for each rate. */
  loadsMs: readonly number[];
  /** Of a millisecond without a picture. */
  stallCost: number;
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
  const extend = createExtend(input, config);
  let nodes: Node[] = [start];
  for (let ahead = 0; ahead < config.horizon; ahead += 1) {
    const next: Node[] = [];
    for (let rung = 0; rung < count; rung += 1) {
      if (ahead === 0 && rung > (input.highest ?? count)) break;
      const step = stepOf(rung, ahead, input, config);
      const kept: Node[] = [];
      for (const node of nodes) extend(node, step, kept);
      next.push(...kept);
    }
    nodes = next;
  }
  let best: Plan | undefined;
  for (const node of nodes) {
    if (!best || node.value > best.value) best = { rung: node.first, value: node.value };
  }
  return best;
}

function stepOf(rung: number, ahead: number, input: PlanInput, config: PlanConfig): Step {
  const { bitratesBps, rates } = input;
  const top = (bitratesBps.at(-1) ?? 0) / 1e6;
  const bytes = input.sizeOf(ahead, rung);
  const started = input.playing || ahead > 0;
  return {
    rung,
    quality: (bitratesBps[rung] ?? 0) / 1e6,
    loadsMs: rates.map(
      ({ rateBps }) => config.overheadMs + Math.min(60_000, (bytes * 8000) / Math.max(1, rateBps)),
    ),
    stallCost: (top * (started ? config.stallWeight : config.startWeight)) / 1000,
  };
}

/** Takes one more step from a node, and keeps where it leads if that is among the best (best first). */
function createExtend(
  input: PlanInput,
  config: PlanConfig,
): (node: Node, step: Step, kept: Node[]) => void {
  const { bitratesBps, segmentMs, rates } = input;
  // With a target of less than two segments the player asks for the next one while the last still plays.
  const most = Math.max(input.bufferTargetMs, 2 * segmentMs);
  const worth = createWorth(input, config);
  // A decision looks at a thousand nodes and keeps a tenth: what is thrown away is not allocated.
  const buffersMs = rates.map(() => 0);
  const edgesMs = rates.map(() => 0);
  return (node, { rung, quality, loadsMs, stallCost }, kept) => {
    const before = node.last >= 0 ? (bitratesBps[node.last] ?? 0) / 1e6 : quality;
    let score = node.score + quality - config.switchWeight * Math.abs(quality - before);
    for (let i = 0; i < rates.length; i += 1) {
      const bufferMs = node.buffersMs[i] ?? 0;
      const edgeMs = node.edgesMs[i] ?? Infinity;
      const fullMs = Math.max(0, bufferMs + segmentMs - most);
      const waitMs = Math.max(fullMs, edgeMs < segmentMs ? segmentMs - edgeMs : 0);
      const takenMs = waitMs + (loadsMs[i] ?? 0);
      edgesMs[i] = edgeMs + takenMs - segmentMs;
      score -= (rates[i]?.weight ?? 0) * stallCost * Math.max(0, takenMs - bufferMs);
      buffersMs[i] = Math.max(0, bufferMs - takenMs) + segmentMs;
    }
    const value = score + worth(buffersMs);
    if (kept.length >= config.beam && !(value > (kept.at(-1)?.value ?? 0))) return;
    let place = kept.length;
    while (place > 0 && value > (kept[place - 1]?.value ?? 0)) place -= 1;
    const first = node.first < 0 ? rung : node.first;
    kept.splice(place, 0, {
      first,
      last: rung,
      score,
      buffersMs: buffersMs.slice(),
      edgesMs: edgesMs.slice(),
      value,
    });
    if (kept.length > config.beam) kept.pop();
  };
}

/** What buffers are worth: the quality that their time of download buys later, less for each further second. */
function createWorth(
  input: PlanInput,
  config: PlanConfig,
): (buffersMs: readonly number[]) => number {
  const { rates, segmentMs } = input;
  const targetMs = clamp(input.bufferTargetMs, segmentMs, config.mostTargetMs);
  const top = input.bitratesBps.at(-1) ?? 0;
  const valueOf = createBufferValue(config.bufferWorth);
  // What is beyond the highest rung buys nothing.
  const buys = rates.map(
    ({ rateBps, weight }) => weight * (Math.min(rateBps, top) / 1e6 / Math.max(1, segmentMs)),
  );
  return (buffersMs) => {
    let value = 0;
    for (let i = 0; i < buys.length; i += 1) {
      value += (buys[i] ?? 0) * valueOf((buffersMs[i] ?? 0) / targetMs) * targetMs;
    }
    return value;
  };
}
