import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command, CommanderError, Option } from 'commander';
import { errorText, type MediaChoice } from '../../core';
import { DEFAULT_KEPT_BYTES, type CarriageChoice, type LogFormat } from '../../transport';
import {
  ABR_HELP,
  addCarriageOption,
  addDecidingOptions,
  addMediaOptions,
  logFormatOption,
  readKeptLogs,
  readDecision,
  readMedia,
  readSeconds,
  type DecidingOptions,
  type DecisionSettings,
  type MediaCommandOptions,
} from '../../runner/options';

/** Settings of path decisions. */
export type DecisionArgs = DecisionSettings & {
  /** False: dash.js's estimate stays unchanged. */
  correction: boolean;
  /** Treatment of endpoints made by other programs. */
  foreignEndpoints: 'keep' | 'suspend';
};

export interface AppArgs {
  /** URL as given, or the absolute path of a file. */
  source?: { kind: 'url'; url: string } | { kind: 'file'; path: string };
  /** Bitrate rule by name; the player has the list. */
  abr?: string;
  logDir?: string;
  logFormat: LogFormat;
  /** Bytes of old session logs to keep; infinite for the user's own folder without a given size. */
  keptLogBytes: number;
  /** Quit after this many seconds. */
  seconds?: number;
  /** Destination of the session's summary at the end; `-` is standard output. */
  jsonFile?: string;
  mptcp: boolean;
  carriage: CarriageChoice;
  /** `foreignEndpoints` and `pathControl` are always set. */
  decision: DecisionArgs;
  media: MediaChoice;
  help: boolean;
  version: boolean;
}

/** The command line is invalid; `message` names the option and its error. */
export class ArgsError extends Error {
  override readonly name = 'ArgsError';
}

/** A wrong command line as the other commands report it: one line. */
export const problemLine = ({ message }: ArgsError): string =>
  `multipath-dash: ${message.replaceAll(/\s*\n\s*/g, ' ')} (see --help)`;

/** Switches read by Chromium from the same command line; not checked here. */
const chromiumSwitch =
  /^--(no-sandbox|disable-gpu|disable-quic|disable-dev-shm-usage|use-gl=|ozone-platform|enable-features=|disable-features=|force-|remote-debugging-|inspect|enable-logging|log-(level|file)=|v=|vmodule=|user-data-dir=|lang=)/;

/** A week: a larger number is a mistake. */
const MAX_SECONDS = 7 * 24 * 3600;

/**
 * The arguments after the app on a command line.
 * @param argv `process.argv`
 * @param appPath the app's folder if Electron was started with one, absent for a packaged app
 */
export function ownArguments(argv: readonly string[], appPath?: string): string[] {
  const rest = argv.slice(1);
  if (appPath === undefined) return rest;
  const index = rest.findIndex((value) => path.resolve(value) === path.resolve(appPath));
  return rest.slice(index + 1);
}

function parseSource(text: string, cwd: string): NonNullable<AppArgs['source']> {
  if (/^https?:/i.test(text)) return { kind: 'url', url: text };
  // A file manager names a file by its URL.
  if (/^file:/i.test(text)) return { kind: 'file', path: pathOf(text) };
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) {
    throw new ArgsError(`${text}: only http, https and files can be played`);
  }
  return { kind: 'file', path: path.resolve(cwd, text) };
}

function pathOf(fileUrl: string): string {
  try {
    return fileURLToPath(fileUrl);
  } catch (error) {
    throw new ArgsError(`${fileUrl}: ${errorText(error)}`);
  }
}

export type AppOptions = DecidingOptions &
  MediaCommandOptions & {
    abr?: string;
    logDir?: string;
    logFormat: LogFormat;
    keepLogs?: number;
    seconds?: number;
    json?: string;
    mptcp: boolean;
    carriage: CarriageChoice;
    foreignEndpoints: 'keep' | 'suspend';
    help?: boolean;
    version?: boolean;
  };

function appCommand(): Command {
  const command = new Command('multipath-dash app')
    .usage('[URL or MPD file] [options]')
    .argument('[sources...]', 'URL or file of an MPD to play')
    .helpOption(false)
    .exitOverride()
    .configureOutput({ writeErr: () => undefined })
    .option('--abr <name>', ABR_HELP)
    .option('-V, --version', 'the version')
    .option('-h, --help', 'this text');
  return addAppOptions(command);
}

/** Adds the app's options but `--abr`, which the player checks. */
export function addAppOptions(command: Command): Command {
  addCarriageOption(addMediaOptions(addDecidingOptions(command)));
  return command
    .addOption(
      new Option(
        '--foreign-endpoints <how>',
        'endpoints that another program made: keep, or suspend while the player wants them away',
      )
        .choices(['keep', 'suspend'])
        .default('keep'),
    )
    .option('--log-dir <dir>', 'where session logs go')
    .addOption(logFormatOption())
    .option(
      '--keep-logs <size>',
      'delete the oldest sessions beyond this size, such as 2GB; all: never (default: 500MB, without --log-dir)',
      readKeptLogs,
    )
    .option('--seconds <n>', 'quit after this many seconds', (text: string) =>
      readSeconds(text, MAX_SECONDS),
    )
    .option('--json <file>', 'write a summary of the session when it ends (- for standard output)')
    .option('--no-mptcp', 'play over plain TCP');
}

export const USAGE = appCommand().helpInformation();

/** Reads the app's own arguments. Throws ArgsError. */
export function parseAppArgs(args: readonly string[], cwd: string): AppArgs {
  const own = args.filter((value) => !chromiumSwitch.test(value));
  try {
    const command = appCommand().parse(own, { from: 'user' });
    return appArgs(command.args, command.opts<AppOptions>(), cwd);
  } catch (error) {
    throw new ArgsError(error instanceof CommanderError ? shortText(error) : errorText(error));
  }
}

/** Commander's message in the form `--option value: expected ...`. */
function shortText({ message }: CommanderError): string {
  return message
    .replace(/^error: /, '')
    .replace(/^option '(?:-\w, )?(--[\w-]+).*' argument '(.*)' is invalid\. /, '$1 $2: ')
    .replace(
      /Allowed choices are (.*)\.$/,
      (_, choices: string) => `expected ${choices.replaceAll(', ', ' or ')}`,
    );
}

function appArgs([source, extra]: string[], options: AppOptions, cwd: string): AppArgs {
  if (extra !== undefined) throw new ArgsError(`${extra}: only one stream can be opened`);
  const { abr, logDir, logFormat, seconds, json, mptcp, carriage } = options;
  return {
    ...(source !== undefined && { source: parseSource(source, cwd) }),
    ...(abr !== undefined && { abr }),
    ...(logDir !== undefined && { logDir: path.resolve(cwd, logDir) }),
    logFormat,
    // Without a request, nothing is deleted from the user's own folder.
    keptLogBytes: options.keepLogs ?? (logDir === undefined ? DEFAULT_KEPT_BYTES : Infinity),
    ...(seconds !== undefined && { seconds }),
    ...(json !== undefined && { jsonFile: json === '-' ? json : path.resolve(cwd, json) }),
    mptcp,
    carriage,
    decision: {
      ...readDecision(options),
      correction: options.correction,
      foreignEndpoints: options.foreignEndpoints,
    },
    media: readMedia(options) ?? {},
    help: options.help === true,
    version: options.version === true,
  };
}
