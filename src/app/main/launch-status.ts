import type { TransportStatus } from '../../core';
import type { MptcpLaunch } from '../../ipc';
import type { Transport } from '../../ports';

/**
 * The transport status for the viewer. If the app itself could not use MPTCP, that is the reason for plain
 * TCP, and more useful than the state of the sockets.
 */
export function explainStatus(status: TransportStatus, launch: MptcpLaunch): TransportStatus {
  if (launch.state === 'preloaded') return status;
  if (launch.state === 'disabled' || launch.state === 'no-kernel') {
    return { state: 'disabled', reason: launch.reason };
  }
  const affected = status.state === 'plain-tcp' || status.state === 'idle';
  return affected ? { state: 'plain-tcp', reason: launch.reason } : status;
}

/** A stream of this computer's disk uses no network, whatever other sockets do. */
const LOCAL: TransportStatus = {
  state: 'idle',
  reason: 'A file of this computer: no network carries it.',
};

/** The same transport, with a status that includes the launch of this app. @param local the stream is a file */
export function withLaunch(transport: Transport, launch: MptcpLaunch, local: boolean): Transport {
  return {
    nowMs: () => transport.nowMs(),
    watch: (origins) => transport.watch(origins),
    close: () => transport.close(),
    subscribe: (listener) =>
      transport.subscribe((message) =>
        listener(
          message.type === 'status'
            ? { type: 'status', status: local ? LOCAL : explainStatus(message.status, launch) }
            : message,
        ),
      ),
  };
}
