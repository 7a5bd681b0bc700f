import type { LaunchInfo } from '../../ipc';

/** The state of this computer before a stream, in one sentence. @param count networks with a default route */
export function readiness(count: number, { state, reason }: LaunchInfo['mptcp']): string {
  if (count === 0) return 'This computer has no network: only streams of its own disk play.';
  if (count === 1)
    return 'One network: a second one would add its rate and carry on where this one fails.';
  if (state === 'preloaded') return `Ready to play over ${count} networks.`;
  return `Ready to play over ${count} networks, in byte ranges only. ${reason}`;
}
