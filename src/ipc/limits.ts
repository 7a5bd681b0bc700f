import { pageLimits } from './page-limits';

/** Bounds of every message; a message beyond them is refused as a whole. */
export const limits = {
  ...pageLimits,
  /** Connections in one sample batch. */
  connections: 256,
  /** Subflows of one connection. */
  subflows: 64,
  /** Paths in one report or request. */
  paths: 64,
  /** Concurrent requests shown to the brain. */
  requests: 64,
  /** Segments ahead with reported sizes. */
  nextSegments: 16,
  /** Requests for byte ranges in one log event. */
  chunks: 256,
  /** Inputs and decisions in one log event. */
  brainEntries: 512,
  /** Log events in one message. */
  logEvents: 512,
  /** Objects and lists within each other. */
  depth: 32,
  /** Values in one message, those in lists and objects included. */
  values: 1_000_000,
  /** Bytes of one message on the wire. */
  messageBytes: 4 * 1024 * 1024,
} as const;
