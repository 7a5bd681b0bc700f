/** Bounds every message must keep; a message beyond them is refused whole. */
export const limits = {
  /** Characters of a URL. */
  urlChars: 8192,
  /** Characters of any other text. */
  textChars: 2048,
  /** Connections in one sample batch. */
  connections: 256,
  /** Subflows of one connection. */
  subflows: 64,
  /** Origins one page may watch. */
  origins: 32,
  /** Paths in one report or request. */
  paths: 64,
  /** Requests in flight at once, as the brain is shown them. */
  requests: 64,
  /** Segments ahead whose sizes are told. */
  nextSegments: 16,
  /** Inputs and decisions in one log event. */
  brainEntries: 512,
  /** Log events in one message. */
  logEvents: 512,
  /** Rungs of one ladder. */
  rungs: 256,
  /** Bytes of one message on the wire. */
  messageBytes: 4 * 1024 * 1024,
} as const;
