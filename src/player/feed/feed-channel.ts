import type { FeedUp } from '../../ipc';

/** The sending half of a connection to the observer of the network. */
export interface FeedChannel {
  /** Sends one message. A closed channel drops it silently; the end of the feed is reported elsewhere. */
  send(message: FeedUp): void;
  /** Bytes accepted but not yet sent by this process; 0 if unknown. */
  pendingBytes(): number;
}
