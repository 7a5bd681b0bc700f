import type { ConnectionSample, SampleBatch, SubflowSample, SubflowState } from '..';

const server = { address: '10.0.0.1', port: 443 };

/** A subflow on `pathId` with a counter; its address derives from the path's name. */
export function subflow(
  pathId: string,
  bytesReceived: number,
  more: Partial<SubflowSample> & { state?: SubflowState } = {},
): SubflowSample {
  return {
    subflowId: `${pathId}-1`,
    pathId,
    interfaceName: pathId,
    local: { address: `addr-${pathId}`, port: 5000 },
    remote: server,
    state: 'active',
    bytesReceived,
    rcvRttUs: 30_000,
    ...more,
  };
}

/** An MPTCP connection; all bytes are in order by default. */
export function connection(
  subflows: SubflowSample[],
  more: Partial<ConnectionSample> = {},
): ConnectionSample {
  return {
    connectionId: 'm:1',
    kind: 'mptcp',
    local: { address: 'addr', port: 5000 },
    remote: server,
    inOrderBytes: subflows.reduce((sum, one) => sum + one.bytesReceived, 0),
    subflows,
    ...more,
  };
}

export function batch(monotonicMs: number, connections: ConnectionSample[]): SampleBatch {
  return { monotonicMs, connections, lostSamples: 0 };
}
