/** The ends of events with `for`. */
import type { DirectionSpec } from './link-spec';
import type { Problems, ScenarioPath } from './problems';
import { withChange } from './read-link';
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

/** The change back to `before`; undefined if there is none. */
function undo(change: Change | undefined, before: DirectionSpec): Change | undefined {
  const back: Change = {};
  for (const key of Object.keys(change ?? {})) {
    if (key === 'rateBps' || key === 'trace') {
      if (before.trace !== undefined) back.trace = before.trace;
      else if (before.rateBps !== undefined) back.rateBps = before.rateBps;
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
  others: readonly LinkChange[],
): LinkChange | undefined {
  const before = (side: 'ab' | 'ba'): DirectionSpec =>
    others.reduce((spec, other) => withChange(spec, other[side] ?? {}), link[side]);
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

/** The end of an event: the others that last at that time keep their effect, the later ones before the earlier ones. */
function endOf(
  { happening, end, path, endMs }: Span,
  spans: readonly Span[],
  links: readonly LinkSpec[],
  problems: Problems,
): Happening | undefined {
  const { kind } = end ?? happening;
  const others = spans
    .filter((other) => other.atMs <= endMs && other.endMs > endMs)
    .map((other) => other.happening)
    .filter((other) => other.kind === kind && linkOf(other) === linkOf(happening));
  if (happening.kind !== 'link-change') return others.at(-1) ?? end;
  const link = links.find(({ id }) => id === happening.link);
  const changes = others.filter((other) => other.kind === 'link-change');
  const back = link && undoAtLink(happening, link, changes);
  if (back === undefined) {
    problems.add(
      [...path, 'for'],
      'only rate, trace, delay and loss can go back, a rate only where the link had one; write a second event',
    );
  }
  return back;
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
