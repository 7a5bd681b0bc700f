import { setTimeout as sleep } from 'node:timers/promises';
import { errorText } from '../../core';
import { loadNative, monotonicClock } from '../../kernel';
import {
  openDirectConnections,
  readPathManager,
  pathManagerKind,
  toLiveSubflow,
} from '../../path-control';
import { UserError } from '../host';
import { SenderPathUse, subflowName, type PathUseChange, type PathUseSettings } from './path-use';

export interface SenderDecisionOptions extends PathUseSettings {
  /** Interval of the samples. The paper does not give it. Example: 100 ms. */
  periodMs: number;
  signal: AbortSignal;
  /** Called after each change that the kernel made. */
  onChange: (change: SenderChange) => void;
  /** Called with errors that do not end the run. */
  onNote: (text: string) => void;
  /** Called once, before the first sample. */
  onReady?: () => void;
}

export interface SenderChange {
  monotonicMs: number;
  token: number;
  local: string;
  remote: string;
  backup: boolean;
  reason: string;
}

const NEEDS_USERSPACE =
  "the kernel's own path manager is active here, and it cannot steer a single connection.\n" +
  'Before the server opens its port, run: sysctl -w net.mptcp.pm_type=1';

/**
 * Steers the paths of a server's MPTCP connections until `signal` aborts, then ends its changes.
 * The kernel accepts further subflows of a client only while this runs: it is the path manager.
 * @throws UserError if the kernel's path manager is active; PathControlError without CAP_NET_ADMIN
 */
export async function runSenderPathUse(options: SenderDecisionOptions): Promise<void> {
  if (pathManagerKind(readPathManager()) !== 'userspace') throw new UserError(NEEDS_USERSPACE);
  const rule = new SenderPathUse(options);
  const channel = await openDirectConnections(({ message }) => options.onNote(message));
  const native = loadNative();
  const changed = new Map<string, PathUseChange>();
  const apply = async (change: PathUseChange): Promise<void> => {
    const { token, subflow, backup, reason } = change;
    await channel.setBackup(token, toLiveSubflow(subflow), backup);
    if (backup) changed.set(subflow.cookie, change);
    else changed.delete(subflow.cookie);
    options.onChange({
      monotonicMs: monotonicClock.nowMs(),
      token,
      local: subflow.local.address,
      remote: subflow.remote.address,
      backup,
      reason,
    });
  };
  const attempt = async (change: PathUseChange): Promise<void> => {
    try {
      await apply(change);
    } catch (error) {
      // The subflow may have ended since the snapshot.
      options.onNote(`${subflowName(change.subflow)}: ${errorText(error)}`);
    }
  };
  options.onReady?.();
  let nextMs = monotonicClock.nowMs();
  try {
    while (!options.signal.aborted) {
      for (const change of rule.look(native.snapshot())) await attempt(change);
      const nowMs = monotonicClock.nowMs();
      nextMs = Math.max(nowMs, nextMs + options.periodMs);
      await sleep(nextMs - nowMs, undefined, { signal: options.signal }).catch(() => undefined);
    }
    for (const change of [...changed.values()]) {
      await attempt({ ...change, backup: false, reason: 'the decision ends' });
    }
  } finally {
    channel.close();
  }
}
