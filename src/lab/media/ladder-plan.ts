import { createHash } from 'node:crypto';
import { frameRate, isWholeFrames, type MediaSpec } from '../../scenario';
import { LabError } from '../errors';

export type LadderSpec = Extract<MediaSpec, { kind: 'ladder' }>;

export interface VideoRung {
  /** Bit rate in the MPD. */
  bitrateBps: number;
  /** Bit rate of the pictures alone. */
  encodedBps: number;
  width: number;
  height: number;
}

/** Length of the piece that is encoded once and then repeated: a whole number of the demo's segments. */
export const UNIT_SECONDS = 10;
/** Small pictures take at most a fifth of their rung, so that a segment of any size holds them. */
const SMALL_SHARE = 0.2;
/** Highest rate of small pictures, whose tiny frames need few bits. Chosen; no measurement. */
const MAX_SMALL_BPS = 60_000;
/** Height of the demo's clip, which the pictures are scaled down from. */
const SOURCE_HEIGHT = 720;
/** Bounds of a ladder that ffmpeg can make in reasonable time. Chosen; no measurement. */
const MAX_RUNGS = 20;
const MIN_RATE_BPS = 20_000;
const MAX_RATE_BPS = 50_000_000;
/** Usual segments last 2 to 10 s; the bounds leave room on both sides. Chosen; no measurement. */
const MIN_SEGMENT_MS = 500;
const MAX_SEGMENT_MS = 20_000;

/** Heights of 16:9 frames with the rate up to which each looks best, after common streaming ladders. */
const HEIGHT_BY_RATE: readonly (readonly [upToBps: number, height: number])[] = [
  [200_000, 180],
  [400_000, 234],
  [700_000, 288],
  [1_000_000, 360],
  [1_800_000, 432],
  [3_000_000, 540],
  [4_500_000, 630],
];

/** A frame size for a rate; never larger than the clip's. */
export function frameFor(bitrateBps: number): { width: number; height: number } {
  const height = HEIGHT_BY_RATE.find(([upToBps]) => bitrateBps <= upToBps)?.[1] ?? SOURCE_HEIGHT;
  return { width: Math.round((height * 16) / 9 / 2) * 2, height };
}

function checkRates(what: string, ratesBps: readonly number[], atLeast: number): void {
  if (ratesBps.length < atLeast || ratesBps.length > MAX_RUNGS) {
    throw new LabError(
      'BAD_OPTION',
      `media ${what}: ${ratesBps.length} rates; ${atLeast} to ${MAX_RUNGS} can be made`,
    );
  }
  for (const [index, rate] of ratesBps.entries()) {
    if (!Number.isInteger(rate) || rate < MIN_RATE_BPS || rate > MAX_RATE_BPS) {
      const range = `${MIN_RATE_BPS} to ${MAX_RATE_BPS}`;
      throw new LabError('BAD_OPTION', `media ${what}: ${rate} is not a rate from ${range}`);
    }
    if (index > 0 && rate <= (ratesBps[index - 1] ?? 0)) {
      throw new LabError('BAD_OPTION', `media ${what}: ${rate} does not ascend`);
    }
  }
}

/** @throws LabError BAD_OPTION with the field */
export function checkLadder(spec: LadderSpec): void {
  checkRates('videoBps', spec.videoBps, 1);
  checkRates('audioBps', spec.audioBps, 0);
  const { segmentMs } = spec;
  const rate = frameRate(spec);
  if (!isWholeFrames(segmentMs, rate) || segmentMs < MIN_SEGMENT_MS || segmentMs > MAX_SEGMENT_MS) {
    throw new LabError(
      'BAD_OPTION',
      `media segmentMs: ${segmentMs} is not a whole number of frames (${rate} a second) from ${MIN_SEGMENT_MS} to ${MAX_SEGMENT_MS}`,
    );
  }
  checkChunks(spec);
}

/** @throws LabError BAD_OPTION */
function checkChunks(spec: LadderSpec): void {
  const { chunkMs } = spec.live ?? {};
  if (chunkMs === undefined) return;
  const rate = frameRate(spec);
  if (!isWholeFrames(chunkMs, rate) || spec.segmentMs % chunkMs !== 0) {
    throw new LabError(
      'BAD_OPTION',
      `media live.chunkMs: ${chunkMs} is not a whole number of frames (${rate} a second) and a part of a segment`,
    );
  }
}

export function videoRungs(spec: LadderSpec): VideoRung[] {
  if (spec.pictures === undefined) {
    return spec.videoBps.map((bitrateBps) => ({
      bitrateBps,
      encodedBps: bitrateBps,
      ...frameFor(bitrateBps),
    }));
  }
  // Distinct frame sizes, as for real pictures: the frames show which rung is on screen.
  return spec.videoBps.map((bitrateBps, index) => ({
    bitrateBps,
    encodedBps: Math.round(Math.min(MAX_SMALL_BPS, bitrateBps * SMALL_SHARE)),
    width: 128 + 32 * index,
    height: 72 + 18 * index,
  }));
}

/** Length of the piece that is encoded and then repeated: whole segments, about as long as the demo's. */
export function unitSeconds(segmentMs: number): number {
  return (Math.max(Math.round((UNIT_SECONDS * 1000) / segmentMs), 1) * segmentMs) / 1000;
}

/** Cache name of a ladder with these parameters; its number increases with every change of the encoding. */
export function ladderKey(spec: LadderSpec, seconds: number): string {
  const small = spec.pictures === undefined ? [] : [spec.pictures, spec.sizes ?? 'cbr'];
  // The latency is the manifest's: it changes no file.
  const live = spec.live === undefined ? [] : ['live', spec.live.chunkMs ?? 'whole'];
  const { videoBps, audioBps, segmentMs } = spec;
  const parameters = JSON.stringify([1, videoBps, audioBps, segmentMs, ...small, ...live]);
  const digest = createHash('sha256').update(parameters).digest('hex').slice(0, 16);
  return `ladder-${digest}-${seconds}s`;
}
