import type { PathId } from './path';

/** Capacity expected by the adaptation, with its inputs. */
export interface Forecast {
  /** Expected goodput of the whole path set. */
  rateBps: number;
  /** Safe rate: a lower value for decisions, never above `rateBps`. */
  safeRateBps: number;
  /** 0 (a guess) to 1. */
  confidence: number;
  /** `paths`: from subflow samples. `requests`: no path feed, dash.js's own request throughput. */
  basis: 'paths' | 'requests';
  paths: { pathId: PathId; rateBps: number; safeRateBps: number; usable: boolean }[];
}
