/**
 * The rest of an answer on a slow path. All of it may have been assigned to a path that has become slow, and Linux assigns nothing
 * anew while that path delivers. A path that comes back then stays idle, and playback waits for the slow one. Once that is
 * closed, the kernel hands its bytes to the others.
 */
import { pendingVideo } from '../abr';
import type { PathEstimatorState } from '../estimate';
import { close, type PathHealth } from './path-health';
import type { BrainObservation } from './types';

/** Time without bytes of a path that has come back, while another one delivers. */
const IDLE_MS = 500;
/** Its handshake shows for so long that it is alive. */
const ALIVE_MS = 5000;
/** A shorter rest is waited for: a path that is closed is away for 2 s. */
const REST_SECONDS = 2;
/** Playback has stopped, or is about to. */
const BUFFER_MS = 500;

/** Closes the paths that hold the rest of the video's answer, if playback waits for it and another path is idle. */
export function handOverRest(
  health: PathHealth[],
  { paths }: PathEstimatorState,
  observation: BrainObservation,
): PathHealth[] {
  const { bufferMs, monotonicMs } = observation;
  const restBits = 8 * pendingVideo(observation).bytes;
  const healthy = health.filter(({ state }) => state === 'healthy');
  const isFree = ({ backMs, pathId }: PathHealth): boolean =>
    monotonicMs - backMs <= ALIVE_MS && (paths.get(pathId)?.unusedMs ?? 0) >= IDLE_MS;
  if ((bufferMs.video ?? Infinity) > BUFFER_MS || !healthy.some(isFree)) return health;
  return health.map((entry) =>
    healthy.includes(entry) && !isFree(entry) && restBits > entry.recentBps * REST_SECONDS
      ? close(entry, monotonicMs)
      : entry,
  );
}
