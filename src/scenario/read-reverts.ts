/** The ends of events with `for`. */
import type { DirectionSpec } from './link-spec';
import type { Problems, ScenarioPath } from './problems';
import { withChange } from './read-link';
import { traceSteps } from './trace-part';
import type { Happening, LinkEvent, TimelineEvent } from './timeline';
import type { LinkSpec } from './types';

type LinkChange = Extract<LinkEvent, { kind: 'link-change' }>;
type Change = Partial<DirectionSpec>;

/** An event while it lasts. */
export interface Span {
  /** Its place in the file. */
  path: ScenarioPath;
  atMs: number;
  /** Infinity without `for`. */
  endMs: number;
  happening: Happening;
  /** Its end where no other event lasts. Absent for link changes, which go back by value. */
  end?: Happening;
}

const linkOf = (happening: Happening): string | undefined =>
  'link' in happening ? happening.link : undefined;

/** A direction as it is without an event. */
interface Before {
  spec: DirectionSpec;
  /** For how long its trace, if it has one, has played. */
  traceMs: number;
}

/** The change back to `before`; undefined if there is none. A trace goes on where it would be. */
function undo(change: Change | undefined, { spec: before, traceMs }: Before): Change | undefined {
  const back: Change = {};
  for (const key of Object.keys(change ?? {})) {
    if (key === 'rateBps' || key === 'trace') {
      const { trace } = before;
      if (trace !== undefined) {
        back.trace = { ...trace, steps: traceSteps(trace.steps, traceMs, trace.once) };
      } else if (before.rateBps !== undefined) back.rateBps = before.rateBps;
      else return undefined;
      const hasDelays = change?.trace?.steps.some(({ delayMs }) => delayMs !== undefined) === true;
      if (hasDelays) back.delayMs = before.delayMs;
    } else if (key === 'delayMs') back.delayMs = before.delayMs;
    else if (key !== 'lossRatio') return undefined;
    else if (before.burstLoss !== undefined) back.burstLoss = before.burstLoss;
    else back.lossRatio = before.lossRatio ?? 0;
  }
  return back;
}

function undoAtLink(
  { ab, ba, link: id }: LinkChange,
  link: LinkSpec,
  others: readonly { atMs: number; change: LinkChange }[],
  endMs: number,
): LinkChange | undefined {
  const before = (side: 'ab' | 'ba'): Before => ({
    spec: others.reduce((spec, { change }) => withChange(spec, change[side] ?? {}), link[side]),
    traceMs: endMs - (others.filter(({ change }) => change[side]?.trace).at(-1)?.atMs ?? 0),
  });
  const backAb = undo(ab, before('ab'));
  const backBa = undo(ba, before('ba'));
  if (backAb === undefined || backBa === undefined) return undefined;
  return {
    kind: 'link-change',
    link: id,
    ...(ab === undefined ? {} : { ab: backAb }),
    ...(ba === undefined ? {} : { ba: backBa }),
  };
}

/** Takes out the trace that a later event plays: sent again, it would begin anew. */
function withoutTrace(back: LinkChange, later: readonly LinkChange[]): LinkChange | undefined {
  const left = (side: 'ab' | 'ba'): Partial<LinkChange> => {
    const { trace, ...others } = back[side] ?? {};
    const isPlayed = later.some((one) => one[side]?.trace !== undefined);
    const change = isPlayed || trace === undefined ? others : { trace, ...others };
    return Object.keys(change).length === 0 ? {} : { [side]: change };
  };
  const sides = { ...left('ab'), ...left('ba') };
  const { kind, link } = back;
  return Object.keys(sides).length === 0 ? undefined : { kind, link, ...sides };
}

/**
 * The end of an event: the others that last at that time keep their effect, the later ones before the earlier ones. What a
 * later one has set is not set again.
 */
function endOf(
  { happening, end, path, atMs, endMs }: Span,
  spans: readonly Span[],
  links: readonly LinkSpec[],
  problems: Problems,
): Happening | undefined {
  const { kind } = end ?? happening;
  const lasting = spans
    .filter((other) => other.atMs <= endMs && other.endMs > endMs)
    .filter(
      (other) => other.happening.kind === kind && linkOf(other.happening) === linkOf(happening),
    );
  if (happening.kind !== 'link-change') {
    const last = lasting.at(-1);
    return last !== undefined && last.atMs > atMs ? undefined : (last?.happening ?? end);
  }
  const link = links.find(({ id }) => id === happening.link);
  const others = lasting.flatMap((other) =>
    other.happening.kind === 'link-change' ? [{ atMs: other.atMs, change: other.happening }] : [],
  );
  const back = link && undoAtLink(happening, link, others, endMs);
  const later = others.filter((other) => other.atMs > atMs).map(({ change }) => change);
  if (back === undefined) {
    problems.add(
      [...path, 'for'],
      'only rate, trace, delay and loss can go back, a rate only where the link had one; write a second event',
    );
  }
  return back && withoutTrace(back, later);
}

/** The events in order of time, each followed by its end. */
export function withEnds(
  spans: readonly Span[],
  links: readonly LinkSpec[],
  problems: Problems,
): TimelineEvent[] {
  const inOrder = [...spans].sort((left, right) => left.atMs - right.atMs);
  const events = spans.flatMap((span): TimelineEvent[] => {
    const { atMs, endMs, happening } = span;
    const end = endMs === Infinity ? undefined : endOf(span, inOrder, links, problems);
    return [{ atMs, ...happening }, ...(end === undefined ? [] : [{ atMs: endMs, ...end }])];
  });
  return events.sort((left, right) => left.atMs - right.atMs);
}
