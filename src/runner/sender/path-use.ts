import { createPolicy, type ConfiguredPolicy, type ObservedPath } from '../../policy';
import { subflowStateOf, type Native } from '../../kernel';

type Snapshot = ReturnType<Native['snapshot']>;
type RawSubflow = Snapshot['subflows'][number];

export interface PathUseSettings {
  /** Local ports of the server whose connections are steered. */
  ports: readonly number[];
  /** Samples of a subflow in its weighted average. Paper `mptcp-plus`, section IV-A: 150. */
  samples: number;
  /** Share of the best subflow's average that a subflow must exceed. Paper, section IV-A: 0.6. */
  rho: number;
}

/** A change of the backup flag that Algorithm 1 wants. */
export interface PathUseChange {
  token: number;
  subflow: RawSubflow;
  backup: boolean;
  reason: string;
}

interface Connection {
  /** State of the policy. */
  state: object;
  ackedBytes: ReadonlyMap<string, number>;
}

const ackedBytesOf = ({ tcp }: RawSubflow): number => tcp?.bytesAcked ?? 0;

/** Both ends of a subflow: its name in reasons. */
export function subflowName({ local, remote }: Pick<RawSubflow, 'local' | 'remote'>): string {
  return `${local.address} to ${remote.address}:${remote.port}`;
}

/** Window over round trip. Undefined while a subflow has no round trip, or is a backup and keeps its average. */
function sampleBps({ tcp, ...subflow }: RawSubflow): number | undefined {
  const { rttUs = 0, sndCwndSegments = 0, sndMssBytes = 0 } = tcp ?? {};
  const isSampled = rttUs > 0 && subflow.backupLocal !== true;
  return isSampled ? (sndCwndSegments * sndMssBytes * 8e6) / rttUs : undefined;
}

/** @param moves something was acknowledged on the connection since the last look */
function toPath(subflow: RawSubflow, moves: boolean): ObservedPath {
  const throughputBps = moves ? sampleBps(subflow) : undefined;
  return {
    pathId: subflowName(subflow),
    state: subflowStateOf(subflow),
    rateBps: throughputBps ?? 0,
    safeRateBps: throughputBps ?? 0,
    confidence: 0,
    throughputBps,
    metered: false,
    totalBytes: subflow.tcp?.bytesSent ?? 0,
    preferred: false,
  };
}

/**
 * The path use decision of MPTCP+ (paper `mptcp-plus`, section III-A, Algorithm 1) at the sender, for each
 * connection by itself. A sample is the window over the round trip. All subflows are sampled while acknowledgements arrive
 * on any, as in the simulator: a fast one sends small segments in a part of the time. A subflow becomes a backup if its average is not above `rho` times the largest. A backup keeps its average, so it
 * becomes active again when the largest one falls. Pure.
 */
export class SenderPathUse {
  readonly #ports: readonly number[];
  readonly #policy: ConfiguredPolicy;
  #connections: ReadonlyMap<number, Connection> = new Map();

  /** @throws PolicyConfigError for `samples` or `rho` out of range */
  constructor({ ports, samples, rho }: PathUseSettings) {
    this.#ports = ports;
    // Without a retry: an excluded subflow returns by its average alone, as in the paper.
    this.#policy = createPolicy('path-use-decision', { n: samples, rho, retryMs: 0 });
  }

  /** Returns the changes that one snapshot of the kernel asks for. */
  look({ monotonicUs, connections, subflows }: Snapshot): PathUseChange[] {
    const next = new Map<number, Connection>();
    const changes: PathUseChange[] = [];
    for (const { token, local, fallback } of connections) {
      if (fallback === true || !this.#ports.includes(local.port)) continue;
      const before = this.#connections.get(token) ?? {
        state: this.#policy.initial(),
        ackedBytes: new Map<string, number>(),
      };
      const own = subflows.filter(
        (subflow) => subflow.token === token && subflowStateOf(subflow) !== 'closed',
      );
      const moves = own.some(
        (subflow) => ackedBytesOf(subflow) > (before.ackedBytes.get(subflow.cookie) ?? 0),
      );
      const { state, desired, reason } = this.#policy.decide(before.state, {
        monotonicMs: monotonicUs / 1000,
        paths: own.map((subflow) => toPath(subflow, moves)),
        requests: [],
        outOfOrderBytes: 0,
      });
      for (const subflow of own) {
        // A subflow in its handshake accepts no MP_PRIO. The client's own backups stay backups.
        if (subflow.fullyEstablished !== true || subflow.backupRemote === true) continue;
        const backup = desired.get(subflowName(subflow)) === 'backup';
        if (backup === (subflow.backupLocal === true)) continue;
        changes.push({ token, subflow, backup, reason });
      }
      const acked = own.map((subflow) => [subflow.cookie, ackedBytesOf(subflow)] as const);
      next.set(token, { state, ackedBytes: new Map(acked) });
    }
    this.#connections = next;
    return changes;
  }
}
