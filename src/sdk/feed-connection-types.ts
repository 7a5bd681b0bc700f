import type { LogSink, Transport } from '../ports';

/** A live connection to the observer of the network. Pass both parts to `createMultipathPlayer`. */
export interface FeedConnection {
  transport: Transport;
  logSink: LogSink;
  /** Flushes the log, then closes the connection. Destroy the player first. */
  close(): Promise<void>;
}
