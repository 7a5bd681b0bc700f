import type { FeedDown } from '../../ipc';
import type { FeedSessionChannel } from '../../transport';

/** Messages the window may have before it; sample batches come ten times a second. */
const maxInFlight = 16;

export interface IpcChannel extends FeedSessionChannel {
  /** The window has taken one message; true when it can take more again. */
  acknowledged(): boolean;
}

/**
 * The feed's way to the window. Electron queues without bound, so the window acknowledges each message
 * and the feed holds back while too many are under way.
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
    congested: () => inFlight >= maxInFlight,
    disconnect: onDisconnect,
    acknowledged() {
      inFlight = Math.max(0, inFlight - 1);
      return inFlight < maxInFlight;
    },
  };
}
