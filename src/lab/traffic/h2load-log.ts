/** A way of opening connections evenly: `count` every `periodMs`. */
export interface Pacing {
  count: number;
  periodMs: number;
}

export interface WebAnswers {
  /** With a status of success. */
  completed: number;
  /** With another status. */
  refused: number;
  meanMs: number;
  /** Unix time of the first request; undefined without one. */
  firstUnixMs: number | undefined;
  /** First request to last answer. */
  durationMs: number;
}

/**
 * Sums up a `h2load --log-file`: a line an answer with the request's start (us), the HTTP status and how long it took
 * (us), separated by tabs. Connections that fail have no line. A last line cut short is left out.
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
 * Connections that came to nothing `ranMs` after the first: those opened, less the answered ones and those still open. One turn of the
 * pacing is not counted: whether it was due is not known.
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
