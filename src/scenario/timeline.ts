/** Events while a trial plays. Their times count from the page's load. */
import type { DirectionSpec, MiddleboxSpec } from './link-spec';
import type { Name } from './name';

/** An event at a link. The simulator knows the first two; all others need real kernels. */
export type LinkEvent =
  | { kind: 'link-state'; link: Name; state: 'up' | 'down' | 'blackhole' }
  | {
      kind: 'link-change';
      link: Name;
      ab?: Partial<DirectionSpec>;
      ba?: Partial<DirectionSpec>;
    }
  /** Replaces the middlebox; null: none. A NAT forgets its mappings, and may take another address. */
  | { kind: 'link-middlebox'; link: Name; middlebox: MiddleboxSpec | null }
  /** The client's address on the link becomes another one of the same network, as after a new DHCP lease. */
  | { kind: 'address-change'; link: Name };

/** The server's answer in place of a correct one. */
export type AnswerFault =
  | { kind: 'status'; status: number }
  /** This text as the whole body. */
  | { kind: 'text'; text: string }
  /** The connection closes after this share of the announced body. */
  | { kind: 'truncated'; keepRatio: number }
  /** A complete answer with this share of the file. */
  | { kind: 'short'; keepRatio: number }
  /** Noise from this byte on. */
  | { kind: 'corrupt'; fromByte: number }
  /** The body at this rate. */
  | { kind: 'trickle'; rateBps: number }
  /** The head of the answer, a byte a second. */
  | { kind: 'slow-head' }
  /** A late first byte. */
  | { kind: 'late'; delayMs: number }
  /** No answer; the connection stays open. */
  | { kind: 'silent' }
  /** No answer; the connection closes. */
  | { kind: 'break' }
  /** A correct answer; then the connection closes. */
  | { kind: 'close' }
  /** A correct answer; the connection closes when it is idle for this long. */
  | { kind: 'idle'; timeoutMs: number };

export type ServerEvent =
  /** `down`: its connections break, and new ones are refused. */
  | { kind: 'server-state'; state: 'up' | 'down' }
  /** The fault of requests whose path matches; of the first `times` of them, or all. The newest match counts. */
  | { kind: 'server-answer'; id: string; fault: AnswerFault; match?: string; times?: number }
  /** The fault of the `server-answer` with this id ends. */
  | { kind: 'server-mended'; id: string };

export type PlayerTimelineEvent =
  | { kind: 'kill'; part: 'browser' | 'renderer' }
  /**
   * No process of the player runs for this long, as in a suspended computer. `agent`: only the process of agent,
   * gateway and log stops, as during a write to a hung disk.
   */
  | { kind: 'suspend'; part: 'player' | 'agent'; durationMs: number }
  /** The page's wall clock is ahead by this. */
  | { kind: 'clock'; aheadMs: number };

/** An event without its time. */
export type Happening = LinkEvent | ServerEvent | PlayerTimelineEvent;
export type TimelineEvent = { atMs: number } & Happening;

const linkKinds: readonly string[] = [
  'link-state',
  'link-change',
  'link-middlebox',
  'address-change',
] satisfies LinkEvent['kind'][];

const playerKinds: readonly string[] = [
  'kill',
  'suspend',
  'clock',
] satisfies PlayerTimelineEvent['kind'][];

export function isPlayerEvent<E extends Happening>(event: E): event is E & PlayerTimelineEvent {
  return playerKinds.includes(event.kind);
}

export function isLinkEvent<E extends Happening>(event: E): event is E & LinkEvent {
  return linkKinds.includes(event.kind);
}
