import {
  emptyLedger,
  formatBytes,
  observeBatch,
  type Forecast,
  type PathId,
  type WantedPathState,
  formatSeconds,
} from '../core';
import type { LogEvent, PathControlReport, PathDecisionEvent } from '../session-log';

/** Changes of the paths at one moment, and the bytes they carried until the next. */
export interface DecisionLine {
  /** Time since the session's first event. */
  atMs: number;
  /**
   * `decision`: other states were wanted. `refused`: one was not available. `happened`: the network changed.
   */
  kind: 'decision' | 'refused' | 'happened';
  what: string;
  reason: string;
  /** Bytes of each path from then until the next line. */
  carried: { pathId: PathId; bytes: number }[];
}

const doing: Record<WantedPathState, string> = {
  active: 'uses',
  backup: 'keeps in reserve',
  closed: 'leaves',
};
const order = ['active', 'backup', 'closed'] as const;
const asked: Record<WantedPathState, string> = {
  active: 'use',
  backup: 'keep in reserve',
  closed: 'leave',
};

/** Describes the differences: `uses wlan0; keeps in reserve wwan0`. Empty without differences. */
function changeText(
  { desired, forecast }: PathDecisionEvent,
  before: ReadonlyMap<PathId, WantedPathState>,
): string {
  const changed = desired.filter(({ pathId, state }) => before.get(pathId) !== state);
  const part = (verb: string, names: readonly PathId[]): string[] =>
    names.length === 0 ? [] : [`${verb} ${names.join(', ')}`];
  return order
    .flatMap((state) => {
      const names = changed.filter((one) => one.state === state).map(({ pathId }) => pathId);
      if (state !== 'active') return part(doing[state], names);
      return [
        ...part(
          doing.active,
          names.filter((pathId) => isThere(forecast, pathId)),
        ),
        ...part(
          'waits for',
          names.filter((pathId) => !isThere(forecast, pathId)),
        ),
      ];
    })
    .join('; ');
}

/** The forecast has every path with a subflow. A path without one can only be waited for. */
const isThere = ({ paths }: Forecast, pathId: PathId): boolean =>
  paths.some((path) => path.pathId === pathId);

function reportLines(
  report: PathControlReport,
  reported: Set<string>,
): Pick<DecisionLine, 'kind' | 'what' | 'reason'>[] {
  const lines: Pick<DecisionLine, 'kind' | 'what' | 'reason'>[] = [];
  const { capability, detail, refusals, sequence } = report;
  const once = (kind: DecisionLine['kind'], what: string, reason: string): void => {
    if (reported.has(`${what} ${reason}`)) return;
    reported.add(`${what} ${reason}`);
    lines.push({ kind, what, reason });
  };
  if (!capability.available) once('refused', 'cannot choose paths', capability.reason);
  for (const { pathId, state, reason } of refusals) {
    once('refused', `could not ${asked[state]} ${pathId}`, reason);
  }
  // The answer to a request is part of its decision.
  if (
    detail !== undefined &&
    sequence === undefined &&
    !/ is (active|backup|closed)$/.test(detail)
  ) {
    lines.push({ kind: 'happened', what: detail, reason: '' });
  }
  return lines;
}

/** One line per path decision or deviation from one, in a viewer's words. */
export function explainDecisions(events: readonly LogEvent[]): DecisionLine[] {
  const startMs = events[0]?.monotonicMs ?? 0;
  const lines: DecisionLine[] = [];
  const reported = new Set<string>();
  let wanted = new Map<PathId, WantedPathState>();
  let awaited = new Set<PathId>();
  let carried = new Map<PathId, number>();
  let ledger = emptyLedger;
  const take = (): void => {
    const last = lines.at(-1);
    if (last) last.carried = [...carried].map(([pathId, bytes]) => ({ pathId, bytes }));
    carried = new Map();
  };
  const add = (line: Omit<DecisionLine, 'atMs' | 'carried'>, monotonicMs: number): void => {
    take();
    lines.push({ atMs: monotonicMs - startMs, ...line, carried: [] });
  };
  // The page's events reach the log in batches, after the network's own.
  const inOrder = [...events].sort((a, b) => a.monotonicMs - b.monotonicMs);
  for (const event of inOrder) {
    if (event.type === 'samples') {
      const result = observeBatch(ledger, event.batch);
      ledger = result.ledger;
      for (const [id, { bytes }] of result.interval?.paths ?? []) {
        carried.set(id, (carried.get(id) ?? 0) + bytes);
      }
    } else if (event.type === 'path-decision') {
      const what = changeText(event, wanted);
      wanted = new Map(event.desired.map(({ pathId, state }) => [pathId, state]));
      awaited = new Set(
        event.desired
          .filter(({ pathId, state }) => state === 'active' && !isThere(event.forecast, pathId))
          .map(({ pathId }) => pathId),
      );
      if (what !== '') add({ kind: 'decision', what, reason: event.reason }, event.monotonicMs);
    } else if (event.type === 'path') {
      const { kind, pathId } = event.event;
      if (kind === 'subflow-established' && pathId !== undefined && awaited.delete(pathId)) {
        add({ kind: 'happened', what: `${pathId} has joined`, reason: '' }, event.monotonicMs);
      }
    } else if (event.type === 'path-control') {
      for (const line of reportLines(event.report, reported)) add(line, event.monotonicMs);
    }
  }
  take();
  return lines;
}

/** `wlan0 3.4 MB, wwan0 12 kB`; paths without bytes are left out. */
export function carriedText(carried: DecisionLine['carried']): string {
  const some = carried.filter(({ bytes }) => bytes > 0);
  if (some.length === 0) return 'nothing';
  return some.map(({ pathId, bytes }) => `${pathId} ${formatBytes(bytes)}`).join(', ');
}

/** One line of text: `12.3 s  keeps in reserve wwan0: why (then wlan0 3.4 MB)`. */
export function decisionText({ atMs, what, reason, carried }: DecisionLine): string {
  const why = reason === '' ? '' : `: ${reason}`;
  return `${formatSeconds(atMs)}  ${what}${why} (then ${carriedText(carried)})`;
}
