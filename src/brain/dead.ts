/**
 * A path that owes bytes the others wait for, and is silent: it is taken out, so that the kernel sends at once over
 * the others what it would otherwise time out for, again and again (measured: 18 to 26 ms in place of 0.5 to 5 s).
 * The same with one that trickles: some packets a second of what thousands were expected of keep the kernel from
 * giving up, while everything waits. It is tried again soon, because only a new handshake can tell that it is back.
 */
import { clamp, formatDuration, type PathId } from '../core';
import { observedRate, type PathEstimatorState, type PathTrack } from '../paths';

export const deadConfig = {
  /** Silence that counts, beyond two round trips. Example: 1200 ms: by then the kernel has sent again what it can. */
  silentMs: 1200,
  /** Bytes beyond the missing one that show that a path waits. Example: 32 kB, not just a tail that came twice. */
  waitingBytes: 32_000,
  /** Who brought more than this share of what the waiting one did is not the one that owes. Example: 0.1. */
  owingShare: 0.1,
  /** Longest silence needed, whatever the round trip. Example: 2500 ms. */
  mostSilentMs: 2500,
  /** A path that brings less than this share of what it promised is late. Example: 0.1. */
  lateShare: 0.1,
  /** Time given to one that still brings something, on top of the silence. Example: 500 ms. */
  lateMs: 500,
  /** Bytes that came over others meanwhile and are held: what they wait for is owed by who is late. Example: 64 kB. */
  heldBytes: 64_000,
  /** Until it is tried again; longer with each failure. Example: 2000 ms. */
  retryMs: 2000,
  /** Longest. Example: 4000 ms: what is back is used within 5 s. */
  mostRetryMs: 4000,
  /** A handshake may take so long. Example: 1500 ms, one lost SYN included. */
  handshakeMs: 1500,
} as const;

export interface Silence {
  pathId: PathId;
  bytes: number;
  /** Since when nothing came although others wait for it; undefined: it is not so. */
  sinceMs: number | undefined;
  /** Taken out, until then. */
  outUntilMs: number | undefined;
  /** Being tried again, since then. */
  triedAtMs: number | undefined;
  failures: number;
  /** As of when. */
  seenMs: number;
  /** Behind what it promised, or out because it was; undefined: it is not. */
  late: Lateness | undefined;
}

export interface Lateness {
  /** Time for which it brought less than its share of what it promised. */
  ms: number;
  /** What was expected of it when that began. */
  promisedBps: number;
  /** Least that was held since. */
  heldBytes: number;
}

/** Looks at the paths after new samples. @param asked a request is under way */
export function followSilence(
  known: readonly Silence[],
  estimator: PathEstimatorState,
  nowMs: number,
  asked: boolean,
): Silence[] {
  const { paths, heldBytes } = estimator;
  const waitsWith = Math.max(0, ...[...paths.values()].map(({ beyondBytes }) => beyondBytes));
  const someoneWaits = waitsWith >= deadConfig.waitingBytes;
  const others = (id: PathId): boolean =>
    [...paths].some(([other, { state }]) => other !== id && state !== 'lost');
  // Who waits for it is late as well, but later. All at once: the network is gone, not a path.
  const othersKeepUp = (id: PathId, { ms }: Lateness): boolean =>
    [...paths].some(([other, { state }]) => {
      const entry = known.find(({ pathId }) => pathId === other);
      return other !== id && state !== 'lost' && entry && (entry.late?.ms ?? 0) < ms / 2;
    });
  return [...paths]
    .map(([pathId, track]): Silence => {
      const last =
        known.find((entry) => entry.pathId === pathId) ?? fresh(pathId, nowMs, track.totalBytes);
      const { totalBytes: bytes } = track;
      // Some bytes are no proof of life from one that is out for bringing only some.
      if (last.late && last.outUntilMs !== undefined && nowMs < last.outUntilMs) return last;
      const judged = asked && last.outUntilMs === undefined;
      const late = judged ? followLateness(last, track, estimator, nowMs) : undefined;
      const before = { ...last, seenMs: nowMs, late };
      const limitMs = clamp(
        deadConfig.silentMs + 2 * (track.rcvRttMs ?? 0),
        deadConfig.silentMs,
        deadConfig.mostSilentMs,
      );
      if (late && late.ms >= limitMs + deadConfig.lateMs && othersKeepUp(pathId, late)) {
        const owes = heldBytes - late.heldBytes >= deadConfig.heldBytes;
        if (owes) return { ...takeOut({ ...before, bytes }, nowMs), late };
      }
      if (bytes > before.bytes) return { ...fresh(pathId, nowMs, bytes), late };
      if (before.outUntilMs !== undefined) {
        if (nowMs < before.outUntilMs) return before;
        return { ...before, outUntilMs: undefined, triedAtMs: nowMs, sinceMs: undefined };
      }
      if (before.triedAtMs !== undefined && track.state !== 'active') {
        // No handshake yet: give it its time, then take it out again.
        return nowMs - before.triedAtMs < deadConfig.handshakeMs ? before : takeOut(before, nowMs);
      }
      const innocent = track.beyondBytes > deadConfig.owingShare * waitsWith;
      const owes = asked && someoneWaits && !innocent && track.state === 'active';
      if (!owes || !others(pathId)) return { ...before, bytes, sinceMs: undefined };
      const sinceMs = before.sinceMs ?? nowMs;
      return nowMs - sinceMs < limitMs
        ? { ...before, sinceMs }
        : takeOut({ ...before, sinceMs }, nowMs);
    })
    .sort((a, b) => (a.pathId < b.pathId ? -1 : 1));
}

/** Why a path is out; undefined where it is not. */
export function outReason(known: readonly Silence[], pathId: PathId): string | undefined {
  const entry = known.find((one) => one.pathId === pathId);
  if (entry?.outUntilMs === undefined) return undefined;
  return `${pathId} has gone silent: what it owes comes over the others, tried again in ${formatDuration(retryMs(entry.failures - 1))}`;
}

function takeOut(before: Silence, nowMs: number): Silence {
  return {
    ...before,
    sinceMs: undefined,
    triedAtMs: undefined,
    late: undefined,
    outUntilMs: nowMs + retryMs(before.failures),
    failures: before.failures + 1,
  };
}

function retryMs(failures: number): number {
  return Math.min(deadConfig.mostRetryMs, deadConfig.retryMs * (1 + 0.5 * Math.max(0, failures)));
}

/** Time that passed counts against it, ten times the time that its bytes were promised to take counts for it. */
function followLateness(
  { bytes, seenMs, late }: Silence,
  track: PathTrack,
  estimator: PathEstimatorState,
  nowMs: number,
): Lateness | undefined {
  const { state, totalBytes } = track;
  const { heldBytes } = estimator;
  const promisedBps = late?.promisedBps ?? observedRate(track, estimator, nowMs).rateBps;
  if (state !== 'active' || !(promisedBps > 0)) return undefined;
  const earnedMs = (Math.max(0, totalBytes - bytes) * 8000) / promisedBps / deadConfig.lateShare;
  const passedMs = clamp(nowMs - seenMs, 0, deadConfig.silentMs);
  const most = deadConfig.mostSilentMs + deadConfig.lateMs;
  const ms = Math.min((late?.ms ?? 0) + passedMs - earnedMs, most);
  if (ms <= 0) return undefined;
  return { ms, promisedBps, heldBytes: Math.min(late?.heldBytes ?? heldBytes, heldBytes) };
}

function fresh(pathId: PathId, nowMs: number, bytes: number): Silence {
  return {
    pathId,
    bytes,
    seenMs: nowMs,
    late: undefined,
    sinceMs: undefined,
    outUntilMs: undefined,
    triedAtMs: undefined,
    failures: 0,
  };
}
