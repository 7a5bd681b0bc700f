import type { FeedUp } from '../../ipc';

/** The sending half of a connection to whatever watches the network. */
export interface FeedChannel {
  /** Sends one message; dropped silently once the channel is gone (the feed's end is told elsewhere). */
  send(message: FeedUp): void;
  /** Bytes accepted but not yet out of this process; 0 where that cannot be known. */
  pendingBytes(): number;
}
