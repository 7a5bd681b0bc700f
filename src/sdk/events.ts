import type { LogEvent } from '../session-log';
import type { PlayerErrorCode } from './errors';

type Logged<T extends LogEvent['type']> = Extract<LogEvent, { type: T }>;

/** Events of `on` by name. Times are CLOCK_MONOTONIC in milliseconds. */
export interface PlayerEvents {
  /** The first frame is on screen. */
  startup: Logged<'startup'>;
  /** Playback stands still, or moves again. */
  stall: Logged<'stall'>;
  /** Another rung is on screen. */
  switch: Logged<'switch'>;
  /** A rung was chosen, or a request given up, and why. */
  decision: Logged<'decision'>;
  /** Anything about the paths: the transport's state, something that happened to a path, what is wanted of them. */
  paths: Logged<'status' | 'path' | 'path-decision' | 'path-control'>;
  /** Something went wrong; after a fatal one nothing plays any more. */
  error: Omit<Logged<'error'>, 'code'> & { code: PlayerErrorCode };
  /** The session is over. */
  end: Logged<'end'>;
}

const PATHS: readonly string[] = ['status', 'path', 'path-decision', 'path-control'];

/** @returns the function that unsubscribes */
export type On = <T extends keyof PlayerEvents>(
  type: T,
  listener: (event: PlayerEvents[T]) => void,
) => () => void;

/** Events by name over a stream of all events. */
export function createOn(subscribe: (listener: (event: LogEvent) => void) => () => void): On {
  return (type, listener) =>
    subscribe((event) => {
      const matches = type === 'paths' ? PATHS.includes(event.type) : event.type === type;
      if (matches) listener(event as unknown as PlayerEvents[typeof type]);
    });
}
