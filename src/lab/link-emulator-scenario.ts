import type { DirectionSpec, LinkSpec, Name, TraceStep } from '../scenario';
import { LabError } from './errors';
import type {
  DirectionChange,
  DirectionOptions,
  LinkChange,
  LinkEnd,
  LinkOptions,
  TraceChoice,
} from './link-emulator-options';

/** A trace to hand over (`addTrace`) before the link or the change that follows it. */
export interface NamedTrace {
  name: string;
  steps: readonly TraceStep[];
}

export interface ScenarioLink {
  options: LinkOptions;
  traces: NamedTrace[];
}

export interface ScenarioChange {
  change: LinkChange;
  traces: NamedTrace[];
}

type Side = 'ab' | 'ba';

/** Names a trace from its link: the emulator knows it by that from the link's start. */
const traceName = (link: Name, side: Side, tag = ''): string => `${link}-${side}${tag}`;

const FNV_PRIME = 0x01000193;

/** A seed of the link's own, so that links of one trial do not lose the same packets: FNV-1a over its name. */
export function linkSeed(seed: number, link: Name): number {
  let hash = (seed ^ 0x811c9dc5) >>> 0;
  for (const char of link) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), FNV_PRIME) >>> 0;
  return hash;
}

/** Names what is followed and keeps its steps for the emulator. */
function collector(link: Name, tag: string): { traces: NamedTrace[]; choose: ChooseTrace } {
  const traces: NamedTrace[] = [];
  const choose: ChooseTrace = (side, trace) => {
    const name = traceName(link, side, tag);
    traces.push({ name, steps: trace.steps });
    return trace.once === undefined ? { name } : { name, once: trace.once };
  };
  return { traces, choose };
}

type ChooseTrace = (side: Side, trace: NonNullable<DirectionSpec['trace']>) => TraceChoice;

/** What a running direction can change, of what is given. */
function changeOf(
  spec: Partial<DirectionSpec>,
  side: Side,
  chooseTrace: ChooseTrace,
): DirectionChange {
  const { rateBps, trace, delayMs, lossRatio, burstLoss, jitter, outages } = spec;
  return {
    ...(trace === undefined
      ? rateBps === undefined
        ? {}
        : { rateBps }
      : { trace: chooseTrace(side, trace) }),
    ...(delayMs === undefined ? {} : { delayMs }),
    ...(burstLoss === undefined ? (lossRatio === undefined ? {} : { lossRatio }) : { burstLoss }),
    ...(jitter === undefined ? {} : { jitter }),
    ...(outages === undefined ? {} : { outages }),
  };
}

function optionsOf(spec: DirectionSpec, side: Side, chooseTrace: ChooseTrace): DirectionOptions {
  const isUnlimited = spec.rateBps === undefined && spec.trace === undefined;
  return {
    ...changeOf(spec, side, chooseTrace),
    ...(isUnlimited ? { rateBps: null } : {}),
    queue: spec.queue,
    ...(spec.queueBytes === undefined ? {} : { queueBytes: spec.queueBytes }),
  };
}

/**
 * A scenario's link as the emulator makes it; a direction with neither rate nor trace is unlimited.
 * @param ends the interfaces, `a` at the link's node `a`
 * @param seed of the trial; the link draws from a seed of its own that follows from it and the link's name
 * @returns the traces are to be added first
 */
export function toLinkOptions(
  link: LinkSpec,
  ends: { a: LinkEnd; b: LinkEnd },
  seed: number,
): ScenarioLink {
  const { traces, choose } = collector(link.id, '');
  const options: LinkOptions = {
    name: link.id,
    ...ends,
    seed: linkSeed(seed, link.id),
    ab: optionsOf(link.ab, 'ab', choose),
    ba: optionsOf(link.ba, 'ba', choose),
    ...(link.middlebox === undefined ? {} : { middlebox: link.middlebox }),
  };
  return { options, traces };
}

/**
 * A change of a running link from an event of the timeline. What is left out stays; a rate ends a trace.
 * @param serial anything not used before for this link, such as the event's number: it names new traces
 * @throws LabError BAD_OPTION for a change of the queue, which has to stay what the link began with
 */
export function toLinkChange(
  link: Name,
  event: { ab?: Partial<DirectionSpec>; ba?: Partial<DirectionSpec> },
  serial: number,
): ScenarioChange {
  const { traces, choose } = collector(link, `-${String(serial)}`);
  const change: LinkChange = {};
  for (const side of ['ab', 'ba'] as const) {
    const spec = event[side];
    if (spec === undefined) continue;
    if (spec.queue !== undefined || spec.queueBytes !== undefined) {
      throw new LabError(
        'BAD_OPTION',
        `link ${link}: ${side}.queue cannot change while the link runs`,
        'give the link this queue from the start, or use two links',
      );
    }
    change[side] = changeOf(spec, side, choose);
  }
  return { change, traces };
}

/**
 * What makes a link's traces and outages begin again; undefined where it has none.
 * @param link as it was made by {@link toLinkOptions}
 */
export function toRestart(link: LinkSpec): LinkChange | undefined {
  const change: LinkChange = {};
  for (const side of ['ab', 'ba'] as const) {
    const { trace, outages } = link[side];
    if (trace === undefined && outages === undefined) continue;
    const once = trace?.once;
    change[side] = {
      ...(trace === undefined
        ? {}
        : {
            trace: { name: traceName(link.id, side), ...(once === undefined ? {} : { once }) },
          }),
      ...(outages === undefined ? {} : { outages }),
    };
  }
  return change.ab === undefined && change.ba === undefined ? undefined : change;
}
