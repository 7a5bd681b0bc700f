import type { LogEvent } from '../../src/session-log';

/** Part of a session, on the log's clock. */
export interface Window {
  fromMs: number;
  untilMs: number;
}

/** The viewer's experience in a part of a session. */
export interface Outcome {
  /** Time in which the playhead or the picture stood still. A picture may freeze while the sound goes on. */
  waitedMs: number;
  /** Delay of the page's regular state: the machine was busy with other work. */
  lateMs: number;
  fatal: readonly string[];
  failedRequests: number;
  /** Requests that the player gave up because their answer was stuck. */
  stuckRequests: number;
  /** The longest time without any event: a suspended player writes none. */
  silenceMs: number;
}

/** The page reports its state four times a second. */
const STATE_EVERY_MS = 250;
/** A smaller delay comes from the timer. */
const LATE_MS = 500;

const within = (atMs: number, { fromMs, untilMs }: Window): number =>
  Math.min(untilMs, Math.max(fromMs, atMs));

/** Time of stalls; one that is open at the end of the log lasts until there. */
function stalledMs(events: readonly LogEvent[], window: Window): number {
  let sum = 0;
  let since: number | undefined;
  for (const event of events) {
    if (event.type !== 'stall') continue;
    if (event.phase === 'end' && since !== undefined) {
      sum += within(event.monotonicMs, window) - within(since, window);
    }
    since = event.phase === 'start' ? event.monotonicMs : undefined;
  }
  return since === undefined ? sum : sum + window.untilMs - within(since, window);
}

function lateMs(states: readonly LogEvent[]): number {
  const gaps = states.map(({ monotonicMs }, index) =>
    index === 0 ? 0 : monotonicMs - (states[index - 1]?.monotonicMs ?? 0),
  );
  return gaps.reduce((sum, gap) => sum + (gap > LATE_MS ? gap - STATE_EVERY_MS : 0), 0);
}

/** The log's events of a part, and its longest silence, counted from the event before it. */
export function outcomeIn(events: readonly LogEvent[], window: Window): Outcome {
  const { fromMs, untilMs } = window;
  const first = events.findIndex(({ monotonicMs }) => monotonicMs >= fromMs);
  const inside = events.filter(({ monotonicMs }) => monotonicMs >= fromMs && monotonicMs < untilMs);
  // While dash.js attaches a new source, after a picture that it cannot decode, the position is 0.
  const positions = inside.flatMap((event) =>
    event.type === 'player' && event.positionMs > 0 ? [event.positionMs] : [],
  );
  const playedMs = (positions.at(-1) ?? 0) - (positions[0] ?? 0);
  const times = [events[first - 1] ?? { monotonicMs: fromMs }, ...inside].map(
    ({ monotonicMs }) => monotonicMs,
  );
  return {
    waitedMs: Math.round(Math.max(stalledMs(events, window), untilMs - fromMs - playedMs)),
    lateMs: Math.round(lateMs(inside.filter(({ type }) => type === 'player'))),
    fatal: inside.flatMap((event) =>
      event.type === 'error' && event.fatal ? [event.message] : [],
    ),
    failedRequests: inside.filter((event) => event.type === 'request' && event.outcome === 'failed')
      .length,
    stuckRequests: inside.filter(
      (event) => event.type === 'error' && event.code === 'request-stuck',
    ).length,
    silenceMs: Math.round(
      times.reduce((most, at, index) => Math.max(most, at - (times[index - 1] ?? at)), 0),
    ),
  };
}
