import type { TransportStatus } from '../../core';
import type { MptcpLaunch } from '../../ipc';
import type { Transport } from '../../ports';

/**
 * What the viewer is told about the transport: where the app itself could not speak MPTCP, that is the
 * reason for plain TCP, and more use than what the sockets look like.
 */
export function explainStatus(status: TransportStatus, launch: MptcpLaunch): TransportStatus {
  if (launch.state === 'preloaded') return status;
  if (launch.state === 'disabled' || launch.state === 'no-kernel') {
    return { state: 'disabled', reason: launch.reason };
  }
  const affected = status.state === 'plain-tcp' || status.state === 'idle';
  return affected ? { state: 'plain-tcp', reason: launch.reason } : status;
}

/** The same transport, whose status knows how this app was launched. */
export function withLaunch(transport: Transport, launch: MptcpLaunch): Transport {
  return {
    nowMs: () => transport.nowMs(),
    watch: (origins) => transport.watch(origins),
    close: () => transport.close(),
    subscribe: (listener) =>
      transport.subscribe((message) =>
        listener(
          message.type === 'status'
            ? { type: 'status', status: explainStatus(message.status, launch) }
            : message,
        ),
      ),
  };
}
