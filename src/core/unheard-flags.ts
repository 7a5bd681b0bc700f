import type { ConnectionSample, SampleBatch, SubflowSample } from './network';

/** The backup flag of a subflow that its server uses in another way. */
export interface UnheardFlag extends Pick<SubflowSample, 'local' | 'remote'> {
  backup: boolean;
}

/** An unheard flag with the names of its connection and subflow in the samples. */
export interface NamedFlag extends UnheardFlag {
  connectionId: string;
  subflowId: string;
}

/** Length of an interval, in which received bytes are counted. Chosen; no measurement. */
const INTERVAL_MS = 1000;
/**
 * Wait for the effect of a flag before the interval that judges it; it doubles with each repetition. Above the 0.2 to
 * 0.5 s in which the bytes queued on a path arrive (README.md).
 */
const FIRST_WAIT_MS = 1000;
/** Repetitions of one change: the last comes half a minute after it. Chosen; no measurement. */
const MAX_REPEATS = 5;
/** Bytes in an interval that count as use: more than a few retransmitted segments. Chosen; no measurement. */
const USED_BYTES = 5000;

interface Flag {
  state: SubflowSample['state'];
  /** The server may still take it for a backup: it was one, and carried nothing since. */
  wasBackup: boolean;
  repeats: number;
  /** An interval judges the flag if it begins after this time. */
  waitUntilMs: number;
}

interface Interval {
  sinceMs: number;
  bytesReceived: ReadonlyMap<string, number>;
}

/**
 * Finds backup flags that did not reach the server. MP_PRIO (RFC 8684, section 3.3.8) travels in one acknowledgement, and
 * nobody repeats it if it is lost. The server then sends over a backup although an active subflow of the connection
 * receives too, or it sends nothing over a subflow that is active again.
 */
export class UnheardFlags {
  #flags = new Map<string, Flag>();
  readonly #intervals = new Map<string, Interval>();

  /** Returns the flags to repeat now. Call it with every batch of one page. */
  observe({ monotonicMs, connections }: SampleBatch): NamedFlag[] {
    const known = this.#flags;
    this.#flags = new Map();
    const carrying = connections.filter(({ kind }) => kind === 'mptcp');
    for (const { connectionId, subflows } of carrying) {
      for (const subflow of subflows) {
        const key = keyOf(connectionId, subflow);
        this.#flags.set(key, followed(known.get(key), subflow.state, monotonicMs));
      }
    }
    const ids = new Set(carrying.map(({ connectionId }) => connectionId));
    for (const id of this.#intervals.keys()) if (!ids.has(id)) this.#intervals.delete(id);
    return carrying.flatMap((connection) => this.#judge(connection, monotonicMs));
  }

  #judge({ connectionId, subflows }: ConnectionSample, nowMs: number): NamedFlag[] {
    const interval = this.#intervals.get(connectionId);
    if (interval && nowMs - interval.sinceMs < INTERVAL_MS) return [];
    this.#intervals.set(connectionId, {
      sinceMs: nowMs,
      bytesReceived: new Map(subflows.map((item) => [item.subflowId, item.bytesReceived])),
    });
    if (!interval) return [];
    const receivedBytes = ({ subflowId, bytesReceived }: SubflowSample): number =>
      bytesReceived - (interval.bytesReceived.get(subflowId) ?? bytesReceived);
    const carriers = subflows.filter(
      (item) => item.state === 'active' && receivedBytes(item) >= USED_BYTES,
    );
    return subflows
      .filter((subflow) => {
        const flag = this.#flags.get(keyOf(connectionId, subflow));
        const bytes = receivedBytes(subflow);
        if (!flag || flag.waitUntilMs > interval.sinceMs) return false;
        if (subflow.state === 'active' && bytes > 0) flag.wasBackup = false;
        // Without an active subflow that receives, a backup is used as it should be.
        if (!carriers.some((item) => item !== subflow) || flag.repeats >= MAX_REPEATS) return false;
        const isUnheard = subflow.state === 'backup' ? bytes >= USED_BYTES : flag.wasBackup;
        if (!isUnheard) return false;
        flag.repeats += 1;
        flag.waitUntilMs = nowMs + FIRST_WAIT_MS * 2 ** flag.repeats;
        return true;
      })
      .map(({ local, remote, subflowId, state }) => {
        return { connectionId, local, remote, subflowId, backup: state === 'backup' };
      });
  }
}

const keyOf = (connectionId: string, { subflowId }: SubflowSample): string =>
  `${connectionId} ${subflowId}`;

/** The flag of a subflow in its present state. */
function followed(flag: Flag | undefined, state: SubflowSample['state'], nowMs: number): Flag {
  if (flag?.state === state) return flag;
  const wasBackup = state === 'active' && (flag?.state === 'backup' || flag?.wasBackup === true);
  // With the kernel's path manager a repetition sets the opposite flag first.
  if (flag && flag.repeats > 0 && nowMs < flag.waitUntilMs) return { ...flag, state, wasBackup };
  return { state, wasBackup, repeats: 0, waitUntilMs: nowMs + FIRST_WAIT_MS };
}
