import type {
  DirectionFormat,
  MiddleboxFormat,
  PathLinkFormat,
  QueueSettingsFormat,
} from './format-link';
import type { DirectionSpec, MiddleboxSpec, OutageSpec } from './link-spec';
import {
  DROPTAIL_BYTES,
  QUEUE_DISCIPLINES,
  queueDiscipline,
  queueSettingEntries,
  scenarioLimitBytes,
  type QueueSettings,
  type QueueSpec,
} from './queue-disciplines';
import type { ReadContext, ScenarioPath } from './problems';
import { traceFrom } from './read-trace';

/** Removes undefined fields: the specs have optional fields, not undefined ones. */
export function given<T extends object>(object: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
}

type Given<T> = Partial<{ [K in keyof T]: Exclude<T[K], undefined> }>;

function queueSettings(found: QueueSettingsFormat): QueueSettings {
  return given(
    Object.fromEntries(queueSettingEntries.map(([name, { written }]) => [name, found[written]])),
  );
}

function queueFrom(
  found: DirectionFormat['queue'],
  path: ScenarioPath,
  { problems }: ReadContext,
): { queue: QueueSpec; queueBytes?: number } {
  if (found === undefined) return { queue: { discipline: 'droptail' }, queueBytes: DROPTAIL_BYTES };
  if (typeof found === 'number') return { queue: { discipline: 'droptail' }, queueBytes: found };
  const options = typeof found === 'string' ? { discipline: found } : found;
  const { discipline, limit, packets, ...written } = options;
  for (const [name, { written: field }] of queueSettingEntries) {
    if (written[field] === undefined || name in queueDiscipline(discipline).settings) continue;
    const readers = QUEUE_DISCIPLINES.filter((one) => name in queueDiscipline(one).settings);
    problems.add([...path, field], `${discipline} has no such setting; ${readers.join(', ')} do`);
  }
  const queueBytes = limit ?? (packets === undefined ? scenarioLimitBytes(discipline) : undefined);
  return given({
    queue: given({ discipline, ...queueSettings(written), limitPackets: packets }),
    queueBytes,
  });
}

function outagesFrom(
  written: NonNullable<DirectionFormat['outages']>,
  path: ScenarioPath,
  { problems }: ReadContext,
): OutageSpec {
  const entries = Array.isArray(written) ? written : written.list;
  const every = Array.isArray(written) ? undefined : written.every;
  const outages = entries.map(({ at, for: durationMs }) => ({ atMs: at, durationMs }));
  let endMs = 0;
  outages.forEach((outage, index) => {
    const where = Array.isArray(written) ? [...path, index] : [...path, 'list', index];
    if (outage.atMs < endMs) {
      problems.add([...where, 'at'], 'begins before the one above has ended; write them in order');
    }
    endMs = outage.atMs + outage.durationMs;
  });
  if (every !== undefined && every < endMs) {
    problems.add([...path, 'every'], `is shorter than the outages, which end after ${endMs} ms`);
  }
  return { outages, ...(every === undefined ? {} : { periodMs: every }) };
}

/** The fields written in the file, as the spec has them; events use the same fields. */
export function directionChange(
  written: DirectionFormat,
  path: ScenarioPath,
  context: ReadContext,
): Given<DirectionSpec> {
  const { rate, trace, delay, loss, burstLoss, jitter, outages, queue } = written;
  if (rate !== undefined && trace !== undefined) {
    context.problems.add([...path, 'trace'], 'rate and trace exclude each other');
  }
  if (loss !== undefined && burstLoss !== undefined) {
    context.problems.add([...path, 'burstLoss'], 'loss and burstLoss exclude each other');
  }
  const shaped = typeof jitter === 'number' ? { spread: jitter } : jitter;
  return given({
    rateBps: rate,
    trace: trace === undefined ? undefined : traceFrom(trace, [...path, 'trace'], context),
    delayMs: delay,
    lossRatio: loss,
    burstLoss: burstLoss === undefined ? undefined : given(burstLoss),
    jitter:
      shaped === undefined
        ? undefined
        : given({
            shape: shaped.shape ?? ('uniform' as const),
            spreadMs: shaped.spread,
            mayReorder: shaped.reorder,
          }),
    outages:
      outages === undefined ? undefined : outagesFrom(outages, [...path, 'outages'], context),
    ...(queue === undefined ? {} : queueFrom(queue, [...path, 'queue'], context)),
  });
}

/** A direction after a change. Rate and trace replace each other, and so do loss and burst loss. */
export function withChange<T extends Partial<DirectionSpec>>(
  { rateBps, trace, lossRatio, burstLoss, ...rest }: T,
  change: Partial<DirectionSpec>,
): T {
  const hasRate = change.rateBps !== undefined || change.trace !== undefined;
  const hasLoss = change.lossRatio !== undefined || change.burstLoss !== undefined;
  return {
    ...(hasRate ? {} : given({ rateBps, trace })),
    ...(hasLoss ? {} : given({ lossRatio, burstLoss })),
    ...rest,
    ...change,
  } as T;
}

/** A direction: the fields for both, the fields for this one, defaults for the rest. */
export function directionFrom(
  both: DirectionFormat,
  own: DirectionFormat | undefined,
  path: ScenarioPath,
  ownKey: string,
  context: ReadContext,
): DirectionSpec {
  const { queue, queueBytes, ...common } = directionChange(both, path, context);
  const special = own === undefined ? {} : directionChange(own, [...path, ownKey], context);
  const inherited =
    queue === undefined
      ? queueFrom(undefined, [...path, 'queue'], context)
      : given({ queue, queueBytes });
  return {
    delayMs: 0,
    ...(special.queue === undefined ? inherited : {}),
    ...withChange(common, special),
  } as DirectionSpec;
}

/** @param path of the middlebox itself */
export function middleboxFrom(
  written: MiddleboxFormat | undefined,
  path: ScenarioPath,
  { problems, ipVersion }: Pick<ReadContext, 'problems' | 'ipVersion'>,
): { middlebox?: MiddleboxSpec } {
  if (written === undefined) return {};
  const { nat, resetAfter, ...same } = written;
  const natVersion = nat?.includes(':') === true ? 'ipv6' : 'ipv4';
  if (nat !== undefined && ipVersion !== 'dual' && ipVersion !== natVersion) {
    problems.add(
      [...path, 'nat'],
      `${nat} is no ${ipVersion} address, and the network has no other: set topology.ip to ${natVersion} or dual, or take an address of ${ipVersion}`,
    );
  }
  const middlebox = given({
    ...same,
    nat: nat === undefined ? undefined : { address: nat },
    resetAfterBytes: resetAfter,
  });
  return { middlebox: middlebox };
}

/** Both directions of a path's link. */
export function accessFrom(
  written: PathLinkFormat,
  path: ScenarioPath,
  context: ReadContext,
): { down: DirectionSpec; up: DirectionSpec; middlebox?: MiddleboxSpec } {
  const { down, up, middlebox, ...both } = written;
  return {
    down: directionFrom(both, down, path, 'down', context),
    up: directionFrom(both, up, path, 'up', context),
    ...middleboxFrom(middlebox, [...path, 'middlebox'], context),
  };
}
