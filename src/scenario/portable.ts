import { isRecord } from '../core';
import * as v from 'valibot';
import { parseDocument, stringify } from 'yaml';
import { scenarioFormat } from './format';
import { applyOverrides, parseOverride } from './overrides';
import { parseScenario, type ParseScenarioOptions } from './parse-scenario';
import { given } from './read-link';
import { trafficId } from './read-traffic';
import type { PlayerSpec } from './types';

/** A scenario with everything it was run with, and the files it names. */
export interface PortableScenario {
  /** YAML; file names are relative to its folder. */
  text: string;
  /** Text of each file by that name. */
  files: ReadonlyMap<string, string>;
}

const HEADER = `# As it was run: options of the command line are part of it, its traces lie beside it.
#   multipath-dash lab run scenario.yaml
`;

/** Every place that names a trace: `trace: FILE` or `trace: { file: FILE }`, wherever it stands. */
function renameTraces(value: unknown, rename: (reference: string) => string): unknown {
  if (Array.isArray(value)) return value.map((one) => renameTraces(one, rename));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      if (key !== 'trace') return [key, renameTraces(inner, rename)];
      if (typeof inner === 'string') return [key, rename(inner)];
      if (!isRecord(inner) || typeof inner['file'] !== 'string') return [key, inner];
      return [key, { ...inner, file: rename(inner['file']) }];
    }),
  );
}

/** The entries of the players as they play: the file's own, with all their settings; any other by its name. */
function entriesOf(
  players: readonly PlayerSpec[],
  content: Record<string, unknown>,
  file: string,
  options: Pick<ParseScenarioOptions, 'files' | 'durationMs' | 'isSimulated'>,
): unknown {
  const written = content['players'];
  const entries = (Array.isArray(written) ? (written as unknown[]) : []).map((entry) => ({
    entry,
    ids: parseScenario(stringify({ ...content, players: [entry] }), file, options).players.map(
      ({ id }) => id,
    ),
  }));
  return players.map(({ id }) => {
    const own = entries.find(({ ids }) => ids.includes(id));
    if (own?.ids.length === 1) return own.entry;
    // One of `over: each-path`.
    return isRecord(own?.entry) ? { ...own.entry, over: id.replace(/^.*@/, '') } : id;
  });
}

/** Events and traffic within a shorter duration; the format refuses those behind its end. */
function within(content: Record<string, unknown>, durationMs: number): Record<string, unknown> {
  const parsed = v.safeParse(scenarioFormat, content);
  if (!parsed.success) return {};
  const { events, traffic } = parsed.output;
  const isWithin = (startMs: number): boolean => startMs < durationMs;
  const written = (list: string): object[] => content[list] as object[];
  return given({
    events: events && written('events').filter((_, index) => isWithin(events[index]?.at ?? 0)),
    // Traffic without a name is called by its place in the list.
    traffic: traffic?.flatMap(({ kind, start = 0 }, index) =>
      isWithin(start) ? [{ id: trafficId(kind, index), ...written('traffic')[index] }] : [],
    ),
  });
}

/**
 * The text for `parseScenario`, as a file that gives the same scenario anywhere.
 * @throws ScenarioError as `parseScenario`
 */
export function portableScenario(
  text: string,
  file: string,
  options: ParseScenarioOptions,
): PortableScenario {
  const { files, durationMs, trials } = options;
  const scenario = parseScenario(text, file, options);
  const overrides = (options.set ?? []).map(parseOverride).filter((one) => typeof one !== 'string');
  const written = applyOverrides(parseDocument(text).toJS({ maxAliasCount: 100 }), overrides);
  const content = written.content as Record<string, unknown>;
  const copies = new Map<string, string>();
  const names = new Map<string, string>();
  const rename = (reference: string): string => {
    const known = names.get(reference);
    if (known !== undefined) return known;
    const base = reference.replace(/^.*\//, '');
    const name = copies.has(`traces/${base}`) ? `traces/${names.size}-${base}` : `traces/${base}`;
    names.set(reference, name);
    copies.set(name, files.read(files.resolve(reference)));
    return name;
  };
  const media = content['media'];
  const folder = isRecord(media) && typeof media['dir'] === 'string' ? media['dir'] : undefined;
  const players =
    options.players === undefined
      ? content['players']
      : entriesOf(
          scenario.players,
          content,
          file,
          given({ files, durationMs, isSimulated: options.isSimulated }),
        );
  const whole: Record<string, unknown> = {
    ...(renameTraces(content, rename) as Record<string, unknown>),
    // The user's own media are too large to copy, so the file names their present place.
    ...(isRecord(media) && folder !== undefined
      ? { media: { ...media, dir: files.resolve(folder) } }
      : {}),
    ...(players === undefined ? {} : { players }),
    ...(trials === undefined ? {} : { trials }),
    ...(durationMs === undefined
      ? {}
      : { duration: `${durationMs}ms`, ...within(content, durationMs) }),
  };
  return { text: `${HEADER}${stringify(whole)}`, files: copies };
}
