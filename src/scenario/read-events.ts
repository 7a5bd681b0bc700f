import type { EventFormat } from './format-events';
import { notKnown } from './near-name';
import type { ReadContext, ScenarioPath } from './problems';
import { directionChange, withChange } from './read-link';
import type { DirectionSpec } from './link-spec';
import { faultField, faultFrom, type Fault } from './read-faults';
import { withEnds, type Span } from './read-reverts';
import type { TimelineEvent } from './timeline';
import type { LinkSpec, Topology } from './types';

/** More events indicate a mistake in `every`. */
const MAX_EVENTS = 2000;

type Change = Partial<DirectionSpec>;
/** A change of a link's state or values. */
type LinkChange =
  | { kind: 'link-state'; link: string; state: 'up' | 'down' | 'blackhole' }
  | { kind: 'link-change'; link: string; ab?: Change; ba?: Change };

interface Place {
  link: LinkSpec;
  /** Direction of the link that leads to the client; absent for events at links. */
  down?: 'ab' | 'ba';
}

function placeOf(
  event: EventFormat,
  path: ScenarioPath,
  topology: Topology,
  { problems }: ReadContext,
): Place | undefined {
  if ((event.path === undefined) === (event.link === undefined)) {
    problems.add(path, 'say where it happens: either path or link');
    return undefined;
  }
  const found = topology.paths.find(({ id }) => id === event.path);
  const id = event.link ?? found?.via[0];
  const link = topology.links.find((candidate) => candidate.id === id);
  if (link === undefined) {
    const names = (event.link === undefined ? topology.paths : topology.links).map((one) => one.id);
    if (event.link === undefined) {
      problems.add([...path, 'path'], notKnown(event.path ?? '', 'a path', names));
    } else problems.add([...path, 'link'], notKnown(event.link, 'a link', names));
    return undefined;
  }
  if (event.path === undefined) return { link };
  const client = topology.nodes.find(({ role }) => role === 'client');
  return { link, down: link.a === client?.id ? 'ba' : 'ab' };
}

function happeningOf(
  event: EventFormat,
  path: ScenarioPath,
  { link, down }: Place,
  context: ReadContext,
): LinkChange | undefined {
  const { problems } = context;
  const { state, down: downOnly, up: upOnly, ab: abOnly, ba: baOnly } = event;
  if (down === undefined && (downOnly ?? upOnly) !== undefined) {
    problems.add(path, 'down and up are directions of a path; a link has ab and ba');
  }
  if (down !== undefined && (abOnly ?? baOnly) !== undefined) {
    problems.add(path, 'ab and ba are directions of a link; a path has down and up');
  }
  const change = (own: typeof downOnly, key: string): Change => {
    const both = directionChange(event, path, context);
    return own === undefined
      ? both
      : withChange(both, directionChange(own, [...path, key], context));
  };
  const isDownAb = down === 'ab';
  const ab =
    down === undefined
      ? change(abOnly, 'ab')
      : change(isDownAb ? downOnly : upOnly, isDownAb ? 'down' : 'up');
  const ba =
    down === undefined
      ? change(baOnly, 'ba')
      : change(isDownAb ? upOnly : downOnly, isDownAb ? 'up' : 'down');
  if ('queue' in ab || 'queue' in ba) {
    problems.add([...path, 'queue'], 'a queue cannot change while the link runs');
  }
  const isChange = Object.keys(ab).length + Object.keys(ba).length > 0;
  if ((state === undefined) === !isChange) {
    problems.add(
      path,
      'say what happens: state (up, down, blackhole), new values such as rate, or one of ' +
        'middlebox, address, server, answer, kill, suspend, hang, clock',
    );
    return undefined;
  }
  if (state !== undefined) return { kind: 'link-state', link: link.id, state };
  return {
    kind: 'link-change',
    link: link.id,
    ...(Object.keys(ab).length > 0 ? { ab } : {}),
    ...(Object.keys(ba).length > 0 ? { ba } : {}),
  };
}

function timesOf(
  { at, every, until, for: durationMs }: EventFormat,
  path: ScenarioPath,
  endMs: number,
  { problems }: ReadContext,
): number[] {
  if (until !== undefined && every === undefined) {
    problems.add([...path, 'until'], 'only with every');
  }
  if (every === undefined) return [at];
  if (durationMs !== undefined && durationMs >= every) {
    problems.add([...path, 'for'], 'has to be shorter than every');
    return [];
  }
  const lastMs = Math.min(until ?? endMs, endMs);
  const count = Math.max(1, Math.ceil((lastMs - at) / every));
  if (count > MAX_EVENTS) {
    problems.add([...path, 'every'], `gives ${count} events; at most ${MAX_EVENTS}`);
    return [];
  }
  return Array.from({ length: count }, (_, index) => at + index * every);
}

function linkFault(
  event: EventFormat,
  path: ScenarioPath,
  topology: Topology,
  context: ReadContext,
): Fault | undefined {
  const place = placeOf(event, path, topology, context);
  const happening = place && happeningOf(event, path, place, context);
  if (place === undefined || happening === undefined) return undefined;
  if (happening.kind === 'link-change') return { happening };
  if (happening.state !== 'up') return { happening, end: { ...happening, state: 'up' } };
  if (event.for !== undefined) {
    context.problems.add([...path, 'for'], 'a link that comes up stays up; write state: down');
  }
  return { happening };
}

function faultOf(
  event: EventFormat,
  path: ScenarioPath,
  topology: Topology,
  context: ReadContext,
): Fault | undefined {
  const { problems } = context;
  const field = faultField(event, path, problems);
  if (field !== 'answer' && (event.match !== undefined || event.times !== undefined)) {
    problems.add(path, 'match and times are for answer');
  }
  if (field === undefined) return linkFault(event, path, topology, context);
  const linkOf = (): LinkSpec | undefined => placeOf(event, path, topology, context)?.link;
  const fault = faultFrom(event, path, linkOf, context);
  if (event.for !== undefined && fault !== undefined && fault.end === undefined) {
    problems.add([...path, 'for'], `nothing reverts ${field}`);
  }
  return fault;
}

/**
 * The timeline in order of time. `for` adds a second event that reverts the first, `every` repeats both.
 * @param endMs playing time of a trial: an event after it is a mistake
 */
export function eventsFrom(
  written: readonly EventFormat[],
  topology: Topology,
  endMs: number,
  context: ReadContext,
): TimelineEvent[] {
  const spans = written.flatMap((event, index): Span[] => {
    const path = ['events', index];
    if (event.at >= endMs) {
      context.problems.add([...path, 'at'], `is not before the end, ${endMs / 1000} s (duration)`);
    }
    const fault = faultOf(event, path, topology, context);
    if (fault === undefined) return [];
    return timesOf(event, path, endMs, context).map((atMs) => ({
      path,
      atMs,
      endMs: atMs + (event.for ?? Infinity),
      ...fault,
    }));
  });
  return withEnds(spans, topology.links, context.problems);
}
