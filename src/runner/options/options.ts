import { InvalidArgumentError, Option, type Command } from 'commander';
import {
  parseBufferText,
  parseKeptLogsText,
  parseKeyText,
  parseMediaChoice,
  parseMeteredText,
  parsePolicyConfigText,
  parsePolicySettingText,
  type Parsed,
  type PolicySettings,
} from '../../ipc';
import { createPolicy, policies, PolicyConfigError } from '../../policy';
import { ABR_NAMES, type AbrName, type MediaChoice, type NetworkWish } from '../../core';
import { UserError } from '../host/user-error';
import {
  CARRIAGE_CHOICES,
  DEFAULT_KEPT_BYTES,
  logFormats,
  type CarriageChoice,
  type LogFormat,
} from '../../transport';

/** Help text of `--abr`. */
export const ABR_HELP =
  "adaptation rule; dash.js's own get our forecast and segment rescue unless --no-correction is given";

/** A day. A larger number is a mistake. */
const MAX_SECONDS = 86_400;

/** Parses a playing time. @param max for commands with a lower limit */
export function readSeconds(text: string, max = MAX_SECONDS): number {
  const value = Number(text);
  if (!(value > 0 && value <= max)) {
    throw new InvalidArgumentError(`expected a number above 0, at most ${max}`);
  }
  return value;
}

const LAST_PORT = 65_535;

/** Parses a port. */
export function readPort(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port >= 1 && port <= LAST_PORT) return port;
  throw new InvalidArgumentError(`expected a port from 1 to ${LAST_PORT}`);
}

/** Parses a seed. */
export function readSeed(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value > 1e9) {
    throw new InvalidArgumentError('expected a whole number from 0 to 1000000000');
  }
  return value;
}

/** Options of every command that plays. */
export interface PlayingOptions {
  abr: AbrName;
  correction: boolean;
  headless?: boolean;
  seconds?: number;
  json?: string;
  out?: string;
  policy?: string;
  policyConfig?: PolicySettings;
  policySet?: PolicySettings;
  pathControl: boolean;
  buffer?: number;
  carriage: CarriageChoice;
  metered?: NetworkWish[];
}

/** Commander's text for a malformed value. */
function accept<T>(parsed: Parsed<T>): T {
  if (parsed.ok) return parsed.value;
  throw new InvalidArgumentError(parsed.error);
}

/** The path decision options. */
export type DecidingOptions = Pick<
  PlayingOptions,
  'correction' | 'policy' | 'policyConfig' | 'policySet' | 'pathControl' | 'buffer' | 'metered'
>;

/** Checked settings of path decisions. */
export interface DecisionSettings {
  /** Path policy by name; absent: the player's own choice. */
  policy?: string;
  policyConfig?: PolicySettings;
  networks: NetworkWish[];
  bufferTargetMs?: number;
  /** False: this program changes no paths. */
  pathControl: boolean;
}

/** The checked path decision settings from the options. @throws UserError */
export function readDecision(options: DecidingOptions): DecisionSettings {
  const { policy, buffer, metered = [], pathControl } = options;
  const given = { ...options.policyConfig, ...options.policySet };
  const policyConfig = Object.keys(given).length > 0 ? given : undefined;
  if (policyConfig && policy === undefined) {
    throw new UserError('--policy-config and --policy-set need --policy', 2);
  }
  try {
    if (policy !== undefined) createPolicy(policy, policyConfig ?? {});
  } catch (error) {
    if (error instanceof PolicyConfigError) throw new UserError(`--policy: ${error.message}`, 2);
    throw error;
  }
  return {
    ...(policy !== undefined && { policy }),
    ...(policyConfig !== undefined && { policyConfig }),
    networks: metered,
    ...(buffer !== undefined && { bufferTargetMs: buffer * 1000 }),
    pathControl,
  };
}

/** Adds the path decision options. */
export function addDecidingOptions(command: Command): Command {
  return command
    .option(
      '--no-correction',
      "leave dash.js's throughput estimate as it is; with a rule of its own, dash.js plays as it comes",
    )
    .addOption(
      new Option(
        '--policy <name>',
        'which paths to use when (default: model over MPTCP, all over byte ranges, metered with --metered)',
      ).choices(policies.map(({ name }) => name)),
    )
    .option(
      '--policy-config <json>',
      'settings of the policy, one JSON object',
      (text, earlier?: PolicySettings) => ({
        ...earlier,
        ...accept(parsePolicyConfigText(text)),
      }),
    )
    .option(
      '--policy-set <key=value>',
      'one setting; may be repeated',
      (text, earlier?: PolicySettings) => ({
        ...earlier,
        ...accept(parsePolicySettingText(text)),
      }),
    )
    .option(
      '--metered <network>',
      'a network that costs, such as wwan0, or wwan0=200MB for all streams of this run; may be repeated',
      (text, earlier?: NetworkWish[]) => [...(earlier ?? []), accept(parseMeteredText(text))],
    )
    .option('--no-path-control', 'leave the paths as the kernel has them')
    .option('--buffer <seconds>', "media to keep ahead (default: dash.js's own)", (text: string) =>
      accept(parseBufferText(text)),
    );
}

/** Adds the choice of the carriage. */
export function addCarriageOption(command: Command): Command {
  return command.addOption(
    new Option(
      '--carriage <name>',
      'how media is fetched: in byte ranges over every network, over MPTCP, over one network; auto: the first of these that the server and the networks permit',
    )
      .choices(CARRIAGE_CHOICES)
      .default('auto'),
  );
}

/** Checks that the carriage is not switched off by another option. @throws UserError */
export function checkCarriage(options: { mptcp: boolean; carriage: CarriageChoice }): void {
  if (options.mptcp || options.carriage !== 'mptcp') return;
  throw new UserError('--no-mptcp and --carriage mptcp contradict each other: leave one out', 2);
}

/** Adds the options of every command that plays. */
export function addPlayingOptions(command: Command): Command {
  command.addOption(new Option('--abr <name>', ABR_HELP).choices(ABR_NAMES).default('multipath'));
  return addCarriageOption(addDecidingOptions(command))
    .option('--headless', 'play without a window (default where there is no display)')
    .option('--json <file>', 'write the summary as JSON (- for standard output)')
    .option('--out <dir>', 'folder of the log and the report (default: runs/<time>)');
}

/** Tracks and keys on the command line. */
export type MediaCommandOptions = Omit<MediaChoice, 'keys'> & { key?: Record<string, string> };

/** Adds the options for tracks and keys. */
export function addMediaOptions(command: Command): Command {
  return command
    .option('--audio-language <tag>', 'language of the audio, such as de')
    .option('--audio-role <role>', 'DASH role of the audio, such as commentary or description')
    .option('--text-language <tag>', 'language of the subtitles')
    .option('--text-role <role>', 'DASH role of the subtitles, such as caption')
    .option(
      '--key <kid:key>',
      'key ID and key of an encrypted stream, 32 hex digits each (ClearKey); may be repeated',
      (text, earlier?: Record<string, string>) => ({ ...earlier, ...accept(parseKeyText(text)) }),
    );
}

/** The chosen tracks and keys; undefined without any. @throws UserError */
export function readMedia(options: MediaCommandOptions): MediaChoice | undefined {
  const { key: keys, audioLanguage, audioRole, textLanguage, textRole } = options;
  const given = Object.entries({ keys, audioLanguage, audioRole, textLanguage, textRole }).filter(
    ([, value]) => value !== undefined,
  );
  if (given.length === 0) return undefined;
  const parsed = parseMediaChoice(Object.fromEntries(given));
  if (!parsed.ok) throw new UserError(parsed.error, 2);
  return parsed.value;
}

/** Files that a viewer's sessions leave on the disk. */
export interface LogOptions {
  logFormat: LogFormat;
  logWholeUrls?: boolean;
  /** Bytes. */
  keepLogs: number;
}

/** The form of session logs. */
export const logFormatOption = (): Option =>
  new Option('--log-format <form>', 'compact: gzip, a tenth of the size; plain: JSON Lines')
    .choices(logFormats)
    .default('compact');

/** Reads how much of session logs to keep. */
export const readKeptLogs = (text: string): number => accept(parseKeptLogsText(text));

/** Adds the options for the files of a viewer's sessions. */
export function addLogOptions(command: Command): Command {
  return command
    .addOption(logFormatOption())
    .option('--log-whole-urls', 'log what stands in the query of a URL, signatures and tokens too')
    .addOption(
      new Option('--keep-logs <size>', 'delete the oldest sessions beyond this size; all: never')
        .argParser(readKeptLogs)
        .default(
          DEFAULT_KEPT_BYTES,
          `${DEFAULT_KEPT_BYTES / 1e6}MB; only in runs/, not with --out`,
        ),
    );
}
