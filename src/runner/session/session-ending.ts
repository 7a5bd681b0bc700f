import type { Clock } from '../../ports';
import type { EndEvent, LogEvent } from '../../session-log';

/** The end of a session: in order, or with an error. */
export type SessionEnding = { reason: Exclude<EndEvent['reason'], 'failed'> } | { failure: string };

/** Limit from the start of the browser to the first frame, for slow networks. */
const STARTUP_LIMIT_MS = 60_000;
/** A reloaded page is back within this time. A closed browser ends its process. */
const PAGE_RETURN_MS = 5000;

export interface SessionEnd {
  /** Settles once, with the first reason. */
  readonly ended: Promise<SessionEnding>;
  /** Call this with every event of the session. */
  observe(event: LogEvent): void;
  /** Another page has come: the one before was reloaded. */
  pageCame(): void;
  /** An external cause ends the session. */
  end(ending: SessionEnding): void;
  /** Cancels the time limits. */
  close(): void;
}

/**
 * Decides when a session is over: the stream ended or failed, no frame came, the time is up, or the page
 * hangs or is gone.
 * @param playMs playing time after the first frame; undefined plays to the end
 * @param silenceMs maximum time without a player state after the first frame; undefined: no limit
 */
export function watchForEnd(
  clock: Clock,
  playMs: number | undefined,
  silenceMs?: number,
): SessionEnd {
  let end: (ending: SessionEnding) => void = () => undefined;
  const ended = new Promise<SessionEnding>((resolve) => {
    end = resolve;
  });
  let lastError: string | undefined;
  let cancel = clock.after(STARTUP_LIMIT_MS, () =>
    end({ failure: `no frame was shown within ${STARTUP_LIMIT_MS / 1000} s` }),
  );

  let cancelSilence = (): void => undefined;
  const expectWord = (): void => {
    if (silenceMs === undefined) return;
    cancelSilence();
    const failure = `the page reported no player state for ${silenceMs / 1000} s`;
    cancelSilence = clock.after(silenceMs, () => end({ failure }));
  };

  let cancelReturn = (): void => undefined;
  const expectReturn = (ending: SessionEnding): void => {
    cancelReturn();
    cancelReturn = clock.after(PAGE_RETURN_MS, () => end(ending));
  };

  return {
    ended,
    end,
    pageCame: () => cancelReturn(),
    observe(event) {
      if (event.type === 'startup') {
        cancel();
        expectWord();
        if (playMs !== undefined) cancel = clock.after(playMs, () => end({ reason: 'time-up' }));
      } else if (event.type === 'player') {
        expectWord();
      } else if (event.type === 'error') {
        lastError = event.message;
        if (event.fatal) end({ failure: event.message });
      } else if (event.type === 'end') {
        if (event.reason === 'ended') end({ reason: 'ended' });
        if (event.reason === 'failed') end({ failure: lastError ?? 'playback failed' });
        if (event.reason === 'closed') expectReturn({ reason: 'closed' });
        // The page fell silent: its process crashed, or it lost the agent.
        if (event.reason === 'interrupted') expectReturn({ failure: 'the player page is gone' });
      }
    },
    close() {
      cancel();
      cancelSilence();
      cancelReturn();
    },
  };
}
