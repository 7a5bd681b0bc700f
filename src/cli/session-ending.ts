import type { Clock } from '../ports';
import type { EndEvent, LogEvent } from '../qoe';

/** How a session ended: in order, or with what went wrong. */
export type Ending = { reason: Exclude<EndEvent['reason'], 'failed'> } | { failure: string };

/** From the start of the browser to the first frame; a slow network is given this long. */
const startupLimitMs = 60_000;

export interface SessionEnd {
  /** Settles once, with whatever came first. */
  readonly ended: Promise<Ending>;
  /** To be told every event of the session. */
  observe(event: LogEvent): void;
  /** Something outside the session ends it. */
  end(ending: Ending): void;
  /** Calls off the time limits. */
  close(): void;
}

/**
 * Decides when a session is over: the stream ended, it failed, no frame came, the time is up, or the page hangs.
 * @param playMs playing time after the first frame; undefined plays to the end
 * @param silenceMs how long the page may say nothing of its player after the first frame; undefined for ever
 */
export function watchForEnd(
  clock: Clock,
  playMs: number | undefined,
  silenceMs?: number,
): SessionEnd {
  let end: (ending: Ending) => void = () => undefined;
  const ended = new Promise<Ending>((resolve) => {
    end = resolve;
  });
  let lastError: string | undefined;
  let cancel = clock.after(startupLimitMs, () =>
    end({ failure: `no frame was shown within ${startupLimitMs / 1000} s` }),
  );

  let cancelSilence = (): void => undefined;
  const expectWord = (): void => {
    if (silenceMs === undefined) return;
    cancelSilence();
    const failure = `the page told nothing of its player for ${silenceMs / 1000} s`;
    cancelSilence = clock.after(silenceMs, () => end({ failure }));
  };

  return {
    ended,
    end,
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
      }
    },
    close() {
      cancel();
      cancelSilence();
    },
  };
}
