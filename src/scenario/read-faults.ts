import type { AnswerFormat, EventFormat } from './format-events';
import { directionEntries } from './format-link';
import type { Problems, ReadContext, ScenarioPath } from './problems';
import { middleboxFrom } from './read-link';
import type { AnswerFault, Happening, PlayerTimelineEvent } from './timeline';
import type { LinkSpec } from './types';

/** An event and the one that reverts it, for `for`. */
export interface Fault {
  happening: Happening;
  end?: Happening;
}

/** Fields of which an event has at most one; the others change a link's state or values. */
const faultFields = [
  'middlebox',
  'address',
  'server',
  'answer',
  'kill',
  'suspend',
  'hang',
  'clock',
] as const;

/** Fields of an event that changes a link's state or values. */
const linkFields = [
  'state',
  ...(Object.keys(directionEntries) as (keyof typeof directionEntries)[]),
  'down',
  'up',
  'ab',
  'ba',
] as const;

type FaultField = (typeof faultFields)[number];

/** The fault that an event names; undefined if it changes a link's state or values. */
export function faultField(
  event: EventFormat,
  path: ScenarioPath,
  problems: Problems,
): FaultField | undefined {
  const [field, another] = faultFields.filter((one) => event[one] !== undefined);
  if (field === undefined) return undefined;
  const other = another ?? linkFields.find((one) => event[one] !== undefined);
  if (other !== undefined) {
    problems.add(path, `${field} and ${other} at the same time: write two events`);
  }
  return field;
}

function isPattern(written: string): boolean {
  try {
    return new RegExp(written).source !== '';
  } catch {
    return false;
  }
}

function answerFrom(written: AnswerFormat): AnswerFault {
  if (typeof written === 'string') return { kind: written };
  if ('status' in written) return { kind: 'status', status: written.status };
  if ('text' in written) return { kind: 'text', text: written.text };
  if ('keep' in written) return { kind: 'truncated', keepRatio: written.keep };
  if ('short' in written) return { kind: 'short', keepRatio: written.short };
  if ('corruptFrom' in written) return { kind: 'corrupt', fromByte: written.corruptFrom };
  if ('rate' in written) return { kind: 'trickle', rateBps: written.rate };
  if ('late' in written) return { kind: 'late', delayMs: written.late };
  return { kind: 'idle', timeoutMs: written.idle };
}

function atLink(
  { middlebox }: EventFormat,
  path: ScenarioPath,
  link: LinkSpec | undefined,
  context: ReadContext,
): Fault | undefined {
  if (link === undefined) return undefined;
  if (middlebox === undefined) {
    return { happening: { kind: 'address-change', link: link.id } };
  }
  const at = [...path, 'middlebox'];
  const wanted = middlebox === 'none' ? undefined : middleboxFrom(middlebox, at, context).middlebox;
  if (wanted?.nat !== undefined && link.middlebox?.nat === undefined) {
    context.problems.add(
      [...at, 'nat'],
      `${link.id} needs a NAT from the start; an event can only give it another address`,
    );
  }
  return {
    happening: { kind: 'link-middlebox', link: link.id, middlebox: wanted ?? null },
    end: { kind: 'link-middlebox', link: link.id, middlebox: link.middlebox ?? null },
  };
}

function ofPlayer(
  event: EventFormat,
): { happening: PlayerTimelineEvent; end?: PlayerTimelineEvent } | undefined {
  const { kill, suspend, hang, clock } = event;
  if (kill !== undefined) return { happening: { kind: 'kill', part: kill } };
  if (suspend !== undefined) {
    return { happening: { kind: 'suspend', part: 'player', durationMs: suspend } };
  }
  if (hang !== undefined) {
    return { happening: { kind: 'suspend', part: 'agent', durationMs: hang } };
  }
  if (clock === undefined) return undefined;
  return { happening: { kind: 'clock', aheadMs: clock }, end: { kind: 'clock', aheadMs: 0 } };
}

/**
 * A fault of the network, the server or the player.
 * @param linkOf finds the link of `path` or `link` and reports its absence
 */
export function faultFrom(
  event: EventFormat,
  path: ScenarioPath,
  linkOf: () => LinkSpec | undefined,
  context: ReadContext,
): Fault | undefined {
  const { problems } = context;
  const { server, answer, match, times, path: atPath, link } = event;
  if (event.middlebox !== undefined || event.address !== undefined) {
    return atLink(event, path, linkOf(), context);
  }
  if ((atPath ?? link) !== undefined) {
    problems.add(path, 'this fault happens at no path and no link');
  }
  if (server !== undefined) {
    return {
      happening: { kind: 'server-state', state: server },
      end: { kind: 'server-state', state: 'up' },
    };
  }
  if (answer === undefined) return ofPlayer(event);
  if (match !== undefined && !isPattern(match)) {
    problems.add([...path, 'match'], 'is no regular expression');
  }
  const fault = answerFrom(answer);
  const id = path.join('.');
  return {
    happening: {
      kind: 'server-answer',
      id,
      fault,
      ...(match === undefined ? {} : { match }),
      ...(times === undefined ? {} : { times }),
    },
    end: { kind: 'server-mended', id },
  };
}
