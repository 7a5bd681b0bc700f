import type { CarriageReport, MediaType, PathId, TransportStatus } from '../core';
import type { EndEvent } from '../session-log';
import type { RangeBytes } from './range-bytes';

/** Traffic of one path over the session. */
export interface PathSummary {
  id: PathId;
  /** Bytes received on all subflows of the path. */
  bytes: number;
  /** Share of all paths' bytes, 0 to 100. */
  sharePercent: number;
  /** Bytes over the whole session. */
  meanRateBps: number;
  /** Bytes over the time in which the path received data (100 ms samples). */
  activeRateBps: number;
  activeMs: number;
  /** Mean receiver-side round trip over samples with data. null if the kernel gave none. */
  rcvRttMs: number | null;
}

/** Downloads of one media type. Percentile arrays hold 0 %, 5 %, ... 100 %. */
export interface SegmentSummary {
  mediaType: MediaType;
  count: number;
  bytes: number;
  /** Time from the request to the last byte. null without a segment. */
  delayMs: { median: number; p90: number } | null;
  /** Bytes over that time. `p10` is the slow end. */
  speedBps: { median: number; p10: number } | null;
  delayPercentilesMs: number[];
  speedPercentilesBps: number[];
  /** Mean time from GET to the complete answer (application RTT; AQM paper, section IV). */
  applicationRttMs: number | null;
  /** Mean absolute difference of consecutive application RTTs (same source). */
  applicationJitterMs: number | null;
}

/** The quality of a session, for viewers and for machines. null: the log does not contain it. */
export interface SessionSummary {
  schemaVersion: 1;
  startedAt: string | null;
  player: string | null;
  /** First to last event. */
  sessionMs: number;
  /** The log ends with an `end` event. */
  complete: boolean;
  endReason: EndEvent['reason'] | null;
  paths: PathSummary[];
  pathSwitches: number;
  averageBitrateBps: number;
  averageAudioBitrateBps: number | null;
  topBitrateBps: number | null;
  switches: number;
  switchMagnitudeBps: number;
  audioSwitches: number;
  stalls: { count: number; totalMs: number };
  startupDelayMs: number | null;
  bufferMs: { mean: number | null; min: number | null };
  /** While playing, by time. `percentiles` holds 0 %, 5 %, ... 100 %. null on demand. */
  liveLatencyMs: { mean: number; percentiles: number[] } | null;
  playedMs: number;
  outageRatio: number;
  decodedFrames: number;
  droppedFrames: number;
  throughputBps: number | null;
  applicationRttMs: number | null;
  applicationJitterMs: number | null;
  segments: SegmentSummary[];
  holBytes: { mean: number; max: number };
  linearQoe: { total: number; perSegment: number; segments: number } | null;
  /** The carriage at the end; null: no agent carried it. */
  carriage: CarriageReport | null;
  /** null: nothing was fetched in byte ranges. */
  rangeBytes: RangeBytes | null;
  transport: { worst: TransportStatus; last: TransportStatus } | null;
  abandonedRequests: number;
  failedRequests: number;
  /** The first 50 errors. */
  errors: { atMs: number; code: string; message: string; fatal: boolean }[];
  errorCount: number;
  /** Location of the log, added by its reader. */
  logFile?: string | undefined;
}
