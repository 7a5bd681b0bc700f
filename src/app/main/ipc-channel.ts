import type { FeedDown } from '../../ipc';
import type { FeedSessionChannel } from '../../transport';

/** Messages in flight to the window; sample batches come ten times a second. */
const MAX_IN_FLIGHT = 16;

export interface IpcChannel extends FeedSessionChannel {
  /** The window has processed one message; true if it accepts more again. */
  acknowledged(): boolean;
}

/**
 * The feed's channel to the window. Electron queues without bound, so the window acknowledges each message.
 * The feed holds messages back while too many are in flight.
 */
export function createIpcChannel(
  deliver: (message: FeedDown) => void,
  onDisconnect: (reason: string) => void,
): IpcChannel {
  let inFlight = 0;
  return {
    send(message) {
      inFlight += 1;
      deliver(message);
    },
    congested: () => inFlight >= MAX_IN_FLIGHT,
    disconnect: onDisconnect,
    acknowledged() {
      inFlight = Math.max(0, inFlight - 1);
      return inFlight < MAX_IN_FLIGHT;
    },
  };
}
