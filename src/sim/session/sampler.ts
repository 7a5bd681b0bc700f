import type { ConnectionSample, SampleBatch, SubflowSample } from '../../core';
import type { MptcpConnection } from '../mptcp/connection';

/** A connection with its names in the samples. */
export interface Sampled {
  id: string;
  connection: MptcpConnection;
  /** Path of each subflow. */
  pathOf: readonly string[];
}

/** The client kernel's view of its connections at one instant. */
export function sampleConnections(nowMs: number, sampled: readonly Sampled[]): SampleBatch {
  return {
    monotonicMs: nowMs,
    lostSamples: 0,
    connections: sampled.map(({ id, connection, pathOf }): ConnectionSample => {
      const address = { address: '10.0.0.1', port: 80 };
      return {
        connectionId: id,
        kind: connection.isPlain ? 'fallback' : 'mptcp',
        local: address,
        remote: address,
        inOrderBytes: connection.client.receivedBytes,
        subflows: connection.client.subflows.map((subflow, index): SubflowSample => {
          const { endpoint } = subflow;
          // The sender's own estimate. A receiver's estimate comes close to it while data flows.
          const srttNs = connection.server.subflows[index]?.srttNs ?? 0;
          return {
            subflowId: String(index + 1),
            pathId: pathOf[index] ?? '',
            interfaceName: pathOf[index],
            local: address,
            remote: address,
            state:
              endpoint.state === 'connecting'
                ? 'connecting'
                : endpoint.state === 'closed'
                  ? 'closed'
                  : subflow.isBackup
                    ? 'backup'
                    : 'active',
            bytesReceived: endpoint.receiver.bytesArrived,
            ...(srttNs > 0 ? { rcvRttUs: srttNs / 1e3 } : {}),
            lastDataRecvMs: nowMs - endpoint.receiver.lastDataNs / 1e6,
          };
        }),
      };
    }),
  };
}
