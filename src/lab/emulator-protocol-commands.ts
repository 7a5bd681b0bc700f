import type {
  DirectionChange,
  DirectionOptions,
  LinkChange,
  LinkEnd,
  LinkOptions,
  TraceChoice,
} from './link-emulator-options';
import {
  queueSettingEntries,
  type BurstLossSpec,
  type JitterSpec,
  type MiddleboxSpec,
  type OutageSpec,
  type QueueSpec,
  type TraceStep,
} from '../scenario';

/** A line longer than 8 KiB is refused. */
const MAX_LINE_CHARS = 8_000;

type Fields = Map<string, string>;

function us(ms: number): string {
  return String(Math.round(ms * 1000));
}

function jitterText({ shape, spreadMs, mayReorder = false }: JitterSpec): string {
  return `${shape}:${us(spreadMs)}${mayReorder ? ':reorder' : ''}`;
}

function burstLossText({ goodToBad, badToGood, lossBad = 1, lossGood = 0 }: BurstLossSpec): string {
  return ['ge', goodToBad, badToGood, lossBad, lossGood].map(String).join(':');
}

function outagesText({ outages, periodMs }: OutageSpec): string {
  if (outages.length === 0) return '-';
  const list = outages.map(({ atMs, durationMs }) => `${us(atMs)}+${us(durationMs)}`).join(',');
  return periodMs === undefined ? list : `${list}/${us(periodMs)}`;
}

function traceText({ name, once = false }: TraceChoice): string {
  return once ? `${name}:once` : name;
}

/** `null` is written as `-`, undefined is left out. */
function put<T>(
  fields: Fields,
  key: string,
  value: T | null | undefined,
  write: (value: T) => string,
): void {
  if (value !== undefined) fields.set(key, value === null ? '-' : write(value));
}

function changeFields(change: DirectionChange): Fields {
  const fields: Fields = new Map();
  put(fields, 'rate', change.rateBps, String);
  put(fields, 'trace', change.trace, traceText);
  put(fields, 'delay_us', change.delayMs, us);
  put(fields, 'jitter', change.jitter, jitterText);
  put(fields, 'loss', change.lossRatio, String);
  put(fields, 'loss', change.burstLoss, burstLossText);
  put(fields, 'outages', change.outages, outagesText);
  return fields;
}

function settingText(kind: string, value: number | boolean): string {
  return kind === 'time' ? us(Number(value)) : String(Number(value));
}

function queueFields(queue: QueueSpec | undefined, queueBytes: number | undefined): Fields {
  const fields: Fields = new Map();
  put(fields, 'queue', queue?.discipline, String);
  put(fields, 'queue_bytes', queueBytes, String);
  put(fields, 'queue_packets', queue?.limitPackets, String);
  for (const [name, { argument, values }] of queueSettingEntries) {
    put(fields, argument, queue?.[name], (value) => settingText(values.kind, value));
  }
  return fields;
}

/** Every field of a middlebox, so that absent ones are switched off. */
function middleboxFields(box: MiddleboxSpec | null): string[] {
  const { stripMpCapable = false, stripMpJoin = false, dropAddAddr = false } = box ?? {};
  const { nat, resetAfterBytes } = box ?? {};
  const flag = (on: boolean): string => (on ? '1' : '0');
  return [
    `strip_mp_capable=${flag(stripMpCapable)}`,
    `strip_mp_join=${flag(stripMpJoin)}`,
    `drop_add_addr=${flag(dropAddAddr)}`,
    `nat=${nat?.address ?? '-'}`,
    `reset_after_bytes=${resetAfterBytes === undefined ? '-' : String(resetAfterBytes)}`,
  ];
}

/** Values of one direction override those of both; a rate and a trace replace each other. */
function overlay(both: Fields, own: Fields): Fields {
  const merged: Fields = new Map([...both, ...own]);
  if (merged.has('trace')) merged.delete(own.has('rate') && !own.has('trace') ? 'trace' : 'rate');
  return merged;
}

/** `key=value` if the directions agree, else `key.ab=value key.ba=value`. */
function directed(ab: Fields, ba: Fields): string[] {
  return [...new Set([...ab.keys(), ...ba.keys()])].flatMap((key) => {
    const values = { ab: ab.get(key), ba: ba.get(key) };
    if (values.ab !== undefined && values.ab === values.ba) return [`${key}=${values.ab}`];
    return Object.entries(values).flatMap(([name, value]) =>
      value === undefined ? [] : [`${key}.${name}=${value}`],
    );
  });
}

function endFields(side: 'a' | 'b', end: LinkEnd): string[] {
  return [
    `${side}.netns=${end.netns ?? '-'}`,
    `${side}.dev=${end.device}`,
    ...(end.address === undefined ? [] : [`${side}.addr=${end.address}`]),
  ];
}

function startFields(options: DirectionOptions): Fields {
  return new Map([...changeFields(options), ...queueFields(options.queue, options.queueBytes)]);
}

/** The command line that creates a link. */
export function linkCommand(options: LinkOptions): string {
  const both = startFields(options);
  return [
    'link',
    options.name,
    ...endFields('a', options.a),
    ...endFields('b', options.b),
    ...directed(
      overlay(both, startFields(options.ab ?? {})),
      overlay(both, startFields(options.ba ?? {})),
    ),
    ...(options.middlebox === undefined ? [] : middleboxFields(options.middlebox)),
    `seed=${options.seed}`,
  ].join(' ');
}

/** The command line that changes a running link. */
export function setCommand(name: string, change: LinkChange): string {
  const both = changeFields(change);
  return [
    'set',
    name,
    ...(change.state === undefined ? [] : [change.state]),
    ...(change.middlebox === undefined ? [] : middleboxFields(change.middlebox)),
    ...directed(
      overlay(both, changeFields(change.ab ?? {})),
      overlay(both, changeFields(change.ba ?? {})),
    ),
  ].join(' ');
}

/** The command lines that define a trace; their number depends on its length. */
export function traceCommands(name: string, steps: readonly TraceStep[]): string[] {
  const lines: string[] = [];
  let line = '';
  for (const { durationMs, rateBps, delayMs } of steps) {
    const delay = delayMs === undefined ? '' : `:${us(delayMs)}`;
    const step = ` ${us(durationMs)}:${Math.round(rateBps)}${delay}`;
    if (line === '' || line.length + step.length > MAX_LINE_CHARS) {
      if (line !== '') lines.push(line);
      line = `trace ${name}`;
    }
    line += step;
  }
  return line === '' ? lines : [...lines, line];
}
