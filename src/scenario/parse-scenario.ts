import * as v from 'valibot';
import { LineCounter, parseDocument, type Document } from 'yaml';
import { errorText } from '../core';
import { scenarioFormat, type ScenarioFormat } from './format';
import { locate } from './locate';
import { MAX_MADE_MS } from './media-limits';
import { applyOverrides, overrideAt, parseOverride, yamlMessage, type Override } from './overrides';
import { Problems, type Problem, type ScenarioFiles, type ScenarioPath } from './problems';
import { eventsFrom } from './read-events';
import { mediaFrom, meteredFrom, serverFrom, withServerControl } from './read-parts';
import { checkPathNames, playersFrom, type PlayersNetwork } from './read-players';
import { topologyFrom } from './read-topology';
import { trafficFrom } from './read-traffic';
import { ScenarioError, type ScenarioIssue } from './scenario-error';
import type { TimelineEvent } from './timeline';
import type { MediaSpec, PlayerSpec, Scenario, ServerSpec } from './types';
import { schemaProblems } from './schema-problems';

export interface ParseScenarioOptions {
  files: ScenarioFiles;
  /** `key=value` with dotted keys, as after `--set`; validated like the file. */
  set?: readonly string[];
  /** Replaces the file's players: names, or anything the file may contain. */
  players?: readonly string[];
  /** Replaces the file's value; later events and traffic are dropped. */
  durationMs?: number;
  /** Replaces the file's value. */
  trials?: number;
  /** No media are made: their limits do not apply. */
  isSimulated?: boolean;
}

/** Playing time and trials of a scenario that does not set them. Chosen; no measurement. */
const DEFAULT_DURATION_MS = 60_000;
const DEFAULT_TRIALS = 5;
/** Interval of queue readings, the same as that of the transport's samples. */
const QUEUE_SAMPLE_MS = 100;

/** File names: `two-paths.yaml` is the scenario `two-paths`. */
function nameOf(file: string): string {
  return file.replace(/^.*\//, '').replace(/\.ya?ml$/i, '') || 'scenario';
}

/** Reports a problem with its place: in the file, or in the option that overrides it. */
class Places {
  constructor(
    readonly file: string,
    readonly document: Document,
    readonly lines: LineCounter,
    readonly overrides: readonly Override[],
  ) {}

  issueOf({ path, message }: Problem): ScenarioIssue {
    const field =
      path.length === 0 ? 'scenario' : path.map((key) => (key === '' ? '""' : key)).join('.');
    const override = overrideAt(this.overrides, path, (at) => this.document.hasIn(at));
    if (override !== undefined)
      return { file: override.option, line: 1, column: 1, field, message };
    return { file: this.file, ...locate(this.document, this.lines, path), field, message };
  }
}

/** The first place where the file is not YAML: the parser's later complaints follow from it. */
function syntaxIssues(file: string, document: Document, lines: LineCounter): ScenarioIssue[] {
  return [...document.errors, ...document.warnings].slice(0, 1).map((error) => {
    const { line, col } = lines.linePos(error.pos[0]);
    const message = yamlMessage(error);
    return { file, line: Math.max(1, line), column: Math.max(1, col), field: 'scenario', message };
  });
}

function contentOf(file: string, document: Document): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 }) as unknown;
  } catch (error) {
    const message = errorText(error);
    throw new ScenarioError([{ file, line: 1, column: 1, field: 'scenario', message }]);
  }
}

/**
 * The named players: a player of the file keeps all its settings, any other text is parsed as the file's
 * would be.
 */
function chosenPlayers(
  names: readonly string[],
  all: readonly PlayerSpec[],
  network: PlayersNetwork,
): PlayerSpec[] {
  const chosen = names.flatMap((name) => {
    const known = all.find(({ id }) => id === name);
    if (known !== undefined) return [known];
    const problems = new Problems();
    const read = playersFrom([name], ['players'], network, problems);
    if (problems.all.length > 0) {
      const file = `--players ${names.join(',')}`;
      throw new ScenarioError(
        problems.all.map(({ message }) => ({
          file,
          line: 1,
          column: 1,
          field: 'players',
          message,
        })),
      );
    }
    return read.map((player) => all.find(({ id }) => id === player.id) ?? player);
  });
  return chosen.filter(({ id }, index) => chosen.findIndex((one) => one.id === id) === index);
}

/** Live streams come from a server of their own, which speaks HTTP/1.1 and answers without faults. */
function checkLive(
  media: MediaSpec,
  { http }: ServerSpec,
  timeline: readonly TimelineEvent[],
  problems: Problems,
): void {
  if (media.kind !== 'ladder' || media.live === undefined) return;
  if (http === 'http2') problems.add(['server', 'http'], 'live media need http1');
  if (timeline.some(({ kind }) => kind === 'server-answer')) {
    problems.add(['media', 'live'], 'answer events need media on demand');
  }
}

function build(
  written: ScenarioFormat,
  file: string,
  problems: Problems,
  options: ParseScenarioOptions,
): Scenario | undefined {
  const context = { problems, files: options.files, ipVersion: written.topology.ip };
  const expanded = topologyFrom(written.topology, context);
  const server = serverFrom(written.server, context);
  const isMade = options.isSimulated !== true;
  const media = mediaFrom(written.media, context, isMade);
  if (expanded === undefined) return undefined;
  const topology = withServerControl(expanded, written.server, context);
  const pathIds = topology.paths.map(({ id }) => id);
  const listed = written.topology.kind === 'shared-bottleneck' ? 'access' : 'paths';
  checkPathNames(pathIds, ['topology', listed], problems);
  const playing = { pathIds, isMetered: (written.metered ?? []).length > 0 };
  const inFile = playersFrom(
    written.players ?? ['ours', 'dynamic@mptcp'],
    ['players'],
    playing,
    problems,
  );
  const durationMs = options.durationMs ?? written.duration ?? DEFAULT_DURATION_MS;
  const endMs = Math.max(durationMs, written.duration ?? DEFAULT_DURATION_MS);
  const timeline = eventsFrom(written.events ?? [], topology, endMs, context);
  if (server.http === 'http2' && timeline.some(({ kind }) => kind === 'server-answer')) {
    problems.add(['server', 'http'], 'answer events need http1');
  }
  checkLive(media, server, timeline, problems);
  if (isMade && media.kind !== 'folder' && durationMs > MAX_MADE_MS) {
    problems.add(
      ['duration'],
      `media of at most ${MAX_MADE_MS / 60_000} min can be made; those of a folder may be longer`,
    );
  }
  const name = nameOf(file);
  const { title = name, source = '', description = '' } = written;
  return {
    name,
    title,
    source: source.trim(),
    description: description.trim(),
    topology,
    server,
    media,
    traffic: trafficFrom(written.traffic ?? [], topology, endMs, context).filter(
      ({ startMs }) => startMs < durationMs,
    ),
    players:
      options.players === undefined ? inFile : chosenPlayers(options.players, inFile, playing),
    events: timeline.filter(({ atMs }) => atMs < durationMs),
    ...meteredFrom(written.metered, topology, context),
    durationMs,
    trials: options.trials ?? written.trials ?? DEFAULT_TRIALS,
    seed: written.seed ?? 1,
    queueSampleMs: written.queueSample ?? QUEUE_SAMPLE_MS,
    backend: written.backend ?? 'emulator',
  };
}

function readOverrides(texts: readonly string[]): Override[] {
  const read = texts.map((text) => ({ text, result: parseOverride(text) }));
  const issues = read.flatMap(({ text, result }): ScenarioIssue[] =>
    typeof result === 'string'
      ? [{ file: `--set ${text}`, line: 1, column: 1, field: 'scenario', message: result }]
      : [],
  );
  if (issues.length > 0) throw new ScenarioError(issues);
  return read.flatMap(({ result }) => (typeof result === 'string' ? [] : [result]));
}

const atPath = (path: ScenarioPath, message: string): Problem => ({ path, message });

/**
 * Reads a scenario file (YAML 1.2; docs/scenario.schema.json): expands shorthands, fills in defaults, reads
 * traces.
 * @param file as the user named it; for errors and the scenario's name
 * @throws ScenarioError with all problems, by file, line, column and field
 */
export function parseScenario(text: string, file: string, options: ParseScenarioOptions): Scenario {
  const lines = new LineCounter();
  const document: Document = parseDocument(text, { lineCounter: lines, logLevel: 'error' });
  const syntax = syntaxIssues(file, document, lines);
  if (syntax.length > 0) throw new ScenarioError(syntax);
  const overrides = readOverrides(options.set ?? []);
  const { content, misplaced } = applyOverrides(contentOf(file, document), overrides);
  const places = new Places(file, document, lines, overrides);
  const refuse = (problems: readonly Problem[]): never => {
    throw new ScenarioError(problems.map((problem) => places.issueOf(problem)));
  };
  if (misplaced.length > 0) {
    refuse(misplaced.map(({ override, message }) => atPath(override.path, message)));
  }
  const parsed = v.safeParse(scenarioFormat, content);
  if (!parsed.success) return refuse(schemaProblems(parsed.issues));
  const problems = new Problems();
  const scenario = build(parsed.output, file, problems, options);
  if (scenario === undefined || problems.all.length > 0) return refuse(problems.all);
  return scenario;
}
