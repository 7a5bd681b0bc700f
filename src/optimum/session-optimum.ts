import { dashDefaults } from '../core';
import type { MediaSizes, Scenario } from '../scenario';
import { bestQoe, type OptimumOptions, type OptimumProblem } from './best-qoe';
import { pathCapacities } from './path-capacity';
import { volumeOf, type RateProfile } from './rate-profile';
import type { SharedOptimum } from './share';

/** The conditions of a session that its optimum must share. Times count from the links' clock. */
export interface PlayedSession {
  /** Time of the first request. */
  requestMs: number;
  /** Time of the first frame. */
  firstFrameMs: number;
  /** Position in the film of the first segment shown, from 0. */
  firstSegment: number;
  segments: number;
  /** End of the session, if it ended in a stall. The optimum pays for the time without a picture until then too. */
  endMs?: number | undefined;
  /** Linear QoE, Mbit/s summed. */
  qoe: number;
  /** Buffer target; dash.js's own defaults if the player sets none. */
  bufferTargetMs?: number | undefined;
}

/** The capacity is followed this far past the last deadline: longer stalls never pay. */
const SPARE_MS = 120_000;

/**
 * The optimum of a player that knew the links, under the session's conditions: same first request, same first
 * frame, same segments. Undefined if the media's sizes do not cover the played segments, or nothing was
 * played.
 */
export function sessionOptimum(
  scenario: Scenario,
  media: MediaSizes,
  played: PlayedSession,
  options: Partial<OptimumOptions> = {},
): SharedOptimum | undefined {
  if (!problemOf(media, played)) return undefined;
  const lastMs = Math.max(
    played.firstFrameMs + played.segments * media.segmentMs,
    played.endMs ?? -Infinity,
  );
  const capacities = pathCapacities(scenario, {
    untilMs: lastMs + SPARE_MS,
    headerBytes: scenario.topology.ipVersion === 'ipv6' ? 60 : 40,
  });
  const solve = (profile: RateProfile): number | null =>
    optimumOver(profile, media, played, options);
  const singles = [...capacities.byPath].map(([id, profile]): [string, number | null] => [
    id,
    solve(profile),
  ]);
  const known = singles.flatMap(([, qoe]) => (qoe === null ? [] : [qoe]));
  const onlyPath = singles.length === 1 ? singles[0]?.[1] : undefined;
  const allPathsQoe = onlyPath === undefined ? solve(capacities.all) : onlyPath;
  return {
    segments: played.segments,
    playerQoe: played.qoe,
    allPathsQoe,
    singlePathQoe: Object.fromEntries(singles),
    share: shareOf(played.qoe, allPathsQoe),
    shareOfBestSingle: shareOf(played.qoe, known.length > 0 ? Math.max(...known) : null),
    ignoresTraffic: scenario.traffic.length > 0,
  };
}

/**
 * The best QoE over a capacity; null if it could not have shown the segments, or their sizes are unknown.
 */
export function optimumOver(
  profile: RateProfile,
  media: MediaSizes,
  played: PlayedSession,
  options: Partial<OptimumOptions> = {},
): number | null {
  const problem = problemOf(media, played);
  if (!problem) return null;
  const { qoe } = bestQoe({ ...problem, volume: volumeOf(profile) }, options);
  return Number.isFinite(qoe) ? qoe : null;
}

function shareOf(qoe: number, optimum: number | null): number | null {
  return optimum !== null && optimum > 0 ? qoe / optimum : null;
}

function problemOf(
  media: MediaSizes,
  played: PlayedSession,
): Omit<OptimumProblem, 'volume'> | undefined {
  const { firstSegment, segments } = played;
  const end = firstSegment + segments;
  const lengths = media.video.map((rung) => rung.bytes.length);
  const whole = lengths.length > 0 && lengths.every((length) => end <= length);
  if (segments === 0 || firstSegment < 0 || !whole) return undefined;
  const filmMs = Math.min(...lengths) * media.segmentMs;
  const targetMs =
    played.bufferTargetMs ??
    (filmMs >= dashDefaults.longFormMs
      ? dashDefaults.bufferAtTopLongFormMs
      : dashDefaults.bufferAtTopMs);
  // Audio does not count in the QoE, so its lowest rung is fetched.
  const audio = media.audio.reduce<readonly number[] | undefined>(
    (least, rung) => (least && sum(least) <= sum(rung.bytes) ? least : rung.bytes),
    undefined,
  );
  const bitratesBps = media.video.map((rung) => rung.bitrateBps);
  const last = end + bridgingSegments(media, played, Math.min(...lengths) - end);
  return {
    bitratesBps,
    segmentBits: media.video.map((rung) =>
      rung.bytes
        .slice(firstSegment, last)
        .map((bytes, i) => 8 * (bytes + (audio?.[firstSegment + i] ?? 0))),
    ),
    segmentMs: media.segmentMs,
    topBitrateBps: Math.max(...bitratesBps),
    startMs: played.requestMs,
    playMs: played.firstFrameMs,
    // A player requests a segment while its buffer is below the target, and then holds one segment more than that.
    bufferCapMs: targetMs + media.segmentMs,
    counted: segments,
    untilMs: played.endMs,
  };
}

/** Segments behind the played ones that keep the picture until the end of a session that ended in a stall. */
function bridgingSegments(
  { segmentMs }: MediaSizes,
  { endMs, firstFrameMs, segments }: PlayedSession,
  remaining: number,
): number {
  if (endMs === undefined) return 0;
  const wanted = Math.ceil((endMs - firstFrameMs) / segmentMs) - segments;
  return Math.max(0, Math.min(remaining, wanted));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, one) => total + one, 0);
}
