import type { Ladder } from '../../core';

export const bitratesKbps = [300, 600, 1100, 1900, 3200, 5800];
export const ladder: Ladder = {
  mediaType: 'video',
  rungs: bitratesKbps.map((kbps, index) => ({
    index,
    representationId: `v${index}`,
    bitrateBps: kbps * 1000,
    height: [180, 240, 360, 480, 720, 1080][index],
  })),
};

export interface SyntheticPath {
  id: string;
  rateBps: number;
  rttMs: number;
  /** The interface goes down and comes back. */
  downMs?: [number, number];
  /** Additional time of a segment's share on this path, caused by loss and a slow queue. */
  drag?: number;
}

export interface SyntheticOptions {
  paths: SyntheticPath[];
  seconds?: number;
  seed?: number;
  name?: string;
}

export const SEGMENT_MS = 2000;
export const STEP_MS = 100;
/** Start of the log on its clock. */
const BASE_MS = 1_000_000;

export const at = (ms: number): number => BASE_MS + ms;
export const bitrateBps = (rung: number): number => (bitratesKbps[rung] ?? 0) * 1000;
