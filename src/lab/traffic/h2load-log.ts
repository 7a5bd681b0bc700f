/** A way to open connections evenly: `count` every `periodMs`. */
export interface Pacing {
  count: number;
  periodMs: number;
}

export interface WebAnswers {
  /** Answers with a success status. */
  completed: number;
  /** Answers with another status. */
  refused: number;
  meanMs: number;
  /** Unix time of the first request; undefined without one. */
  firstUnixMs: number | undefined;
  /** First request to last answer. */
  durationMs: number;
}

/**
 * Summarises a `h2load --log-file`: one tab-separated line per answer with the request's start (us), the HTTP
 * status and the duration (us). Failed connections have no line. A truncated last line is left out.
 */
export function parseH2loadLog(text: string): WebAnswers {
  let completed = 0;
  let refused = 0;
  let sumUs = 0;
  let firstUs = Infinity;
  let lastUs = -Infinity;
  for (const line of text.split('\n').slice(0, -1)) {
    const [startUs = NaN, status = NaN, tookUs = NaN] = line.split('\t').map(Number);
    if (!Number.isFinite(startUs) || !Number.isFinite(tookUs)) continue;
    firstUs = Math.min(firstUs, startUs);
    lastUs = Math.max(lastUs, startUs + tookUs);
    if (status < 200 || status >= 400) {
      refused += 1;
      continue;
    }
    completed += 1;
    sumUs += tookUs;
  }
  return {
    completed,
    refused,
    meanMs: completed === 0 ? 0 : sumUs / completed / 1000,
    firstUnixMs: Number.isFinite(firstUs) ? firstUs / 1000 : undefined,
    durationMs: Math.max((lastUs - firstUs) / 1000, 0),
  };
}

/** Connections per second as even as whole milliseconds allow, within 1 % of the rate. */
export function pacing(perSecond: number): Pacing {
  const withCount = (count: number): Pacing => ({
    count,
    periodMs: Math.max(Math.round((count * 1000) / perSecond), 1),
  });
  const error = (one: Pacing): number =>
    Math.abs((one.count * 1000) / one.periodMs / perSecond - 1);
  let count = 1;
  while (error(withCount(count)) > 0.01) count += 1;
  return withCount(count);
}

/**
 * Connections lost by `ranMs` after the first: those opened, minus the answered ones and those still open.
 * One turn of the pacing is not counted, because it may not have been due.
 */
export function lostConnections(
  ranMs: number,
  { count, periodMs }: Pacing,
  answers: WebAnswers,
  stillOpen: number,
): number {
  const opened = (Math.floor(ranMs / periodMs) + 1) * count;
  const missing = opened - answers.completed - answers.refused - stillOpen;
  return missing <= count ? 0 : missing;
}
