import { loadPolicy } from '../player';
import type { NetworkWish } from '../core';
import type { LogSink, PlayerSnapshot, Transport } from '../ports';
import type { EndEvent, LogEvent } from '../session-log';
import { OptionError } from './errors';
import { createOn, type On } from './events';
import { joinTransport } from './shared-transport';

/** The interface of every player that multipath-dash decides for. */
export interface Multipath {
  /** The player at this instant. */
  snapshot(): PlayerSnapshot;
  /** Hears one kind of event. @returns the function that unsubscribes */
  on: On;
  /** Hears every event that also goes to the log. @returns the function that unsubscribes */
  subscribe(listener: (event: LogEvent) => void): () => void;
  /**
   * Chooses the path policy from now on, once its code is loaded; undefined gives the choice back to the player.
   * Rejects with an `OptionError` on a policy that does not exist.
   */
  setPolicy(name: string | undefined): Promise<void>;
  /** Replaces the preferences for all networks. */
  setNetworks(networks: readonly NetworkWish[]): void;
  /** Ends the session and writes its last line. Idempotent. */
  destroy(reason?: EndEvent['reason']): void;
}

/** The parts of a player that are wrapped. */
interface Inner {
  snapshot(): PlayerSnapshot;
  subscribe(listener: (event: LogEvent) => void): () => void;
  setPolicy?(name: string | undefined): void;
  setNetworks?(networks: readonly NetworkWish[]): void;
  destroy(reason?: EndEvent['reason']): void;
}

interface Connected {
  transport?: Transport | undefined;
  logSink?: LogSink | undefined;
}

/** Sinks that log a player now: a log holds one session. */
const sinksInUse = new WeakSet<LogSink>();

/**
 * Builds a player on its share of the connection.
 * @throws OptionError where the log already belongs to another player, or the policy's settings are wrong
 */
export function embed<T extends Inner>(
  { transport, logSink }: Connected,
  build: (connected: { transport?: Transport }) => T,
): { inner: T; multipath: Multipath } {
  if (logSink && sinksInUse.has(logSink)) {
    throw new OptionError('logSink', 'logs another player: open a connection for each');
  }
  const share = transport ? joinTransport(transport) : undefined;
  const inner = orLeave(share, () => build(share ? { transport: share.transport } : {}));
  if (logSink) sinksInUse.add(logSink);
  let turn = 0;
  let log = logSink;
  const multipath: Multipath = {
    snapshot: () => inner.snapshot(),
    on: createOn((listener) => inner.subscribe(listener)),
    subscribe: (listener) => inner.subscribe(listener),
    setPolicy: async (name) => {
      const own = (turn += 1);
      if (name !== undefined) await loadPolicy(name);
      // The latest choice counts, whichever policy is loaded first.
      if (own !== turn) return;
      try {
        inner.setPolicy?.(name);
      } catch (error) {
        throw new OptionError('policy', error instanceof Error ? error.message : String(error));
      }
    },
    setNetworks: (networks) => inner.setNetworks?.(networks),
    destroy: (reason) => {
      inner.destroy(reason);
      share?.leave();
      if (log) sinksInUse.delete(log);
      // It may belong to the next player by a second call.
      log = undefined;
    },
  };
  return { inner, multipath };
}

/** A player that fails to build leaves its share of the connection. Adds the option's name to a policy's error. */
function orLeave<T>(share: { leave: () => void } | undefined, build: () => T): T {
  try {
    return build();
  } catch (error) {
    share?.leave();
    if (!(error instanceof Error) || error.name !== 'PolicyConfigError') throw error;
    throw new OptionError('policyConfig', error.message);
  }
}
