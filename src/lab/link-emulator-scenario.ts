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

/** A trace to pass (`addTrace`) before the link or the change that uses it. */
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

/** The trace's name, derived from its link. */
const traceName = (link: Name, side: Side, tag = ''): string => `${link}-${side}${tag}`;

/** Prime of 32-bit FNV-1a. */
const FNV_PRIME = 0x01000193;

/** A seed per link, so that the links of one trial do not lose the same packets: FNV-1a over its name. */
export function linkSeed(seed: number, link: Name): number {
  let hash = (seed ^ 0x811c9dc5) >>> 0;
  for (const char of link) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), FNV_PRIME) >>> 0;
  return hash;
}

/** Names the used traces and keeps their steps for the emulator. */
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

/** The given fields that can change in a running direction. */
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
 * Converts a scenario's link into the emulator's options; a direction without rate and trace is unlimited.
 * @param ends the interfaces, `a` at the link's node `a`
 * @param seed of the trial; the link's own seed derives from it and the link's name
 * @returns the traces must be added first
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
 * Converts a timeline event into a change of a running link. Absent fields stay; a rate ends a trace.
 * @param serial unique for this link, such as the event's number: it names new traces
 * @throws LabError BAD_OPTION for a change of the queue, which is fixed at creation
 */
export function toLinkChange(
  link: Name,
  event: { ab?: Partial<DirectionSpec>; ba?: Partial<DirectionSpec> },
  serial: number,
): ScenarioChange {
  const { traces, choose } = collector(link, `-${serial}`);
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
 * The change that restarts a link's traces and outages; undefined if it has none.
 * @param link options from {@link toLinkOptions}
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
