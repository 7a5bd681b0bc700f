import path from 'node:path';
import { parseArgs } from 'node:util';

export interface AppArgs {
  /** URL as given, or the absolute path of a file. */
  source?: { kind: 'url'; url: string } | { kind: 'file'; path: string };
  /** Bitrate rule by name; the player knows which exist. */
  abr?: string;
  logDir?: string;
  /** Quit after this many seconds. */
  seconds?: number;
  /** Where the summary of the session goes at the end. */
  jsonFile?: string;
  mptcp: boolean;
  help: boolean;
}

/** The command line cannot be understood; `message` says what is wrong with which option. */
export class ArgsError extends Error {
  override readonly name = 'ArgsError';
}

export const usage = `Usage: multipath-dash app [URL or MPD file] [options]

  --abr NAME      bitrate rule to start with
  --log-dir DIR   where session logs go
  --seconds N     quit after N seconds
  --json FILE     write a summary of the session when it ends
  --no-mptcp      play over plain TCP
  --help          this text`;

/** Switches Chromium reads from the same command line; not ours to judge. */
const chromiumSwitch =
  /^--(no-sandbox|disable-gpu|disable-quic|disable-dev-shm-usage|use-gl=|ozone-platform|enable-features=|disable-features=|force-|remote-debugging-|inspect|enable-logging|log-(level|file)=|v=|vmodule=|user-data-dir=|lang=)/;

const maxSeconds = 7 * 24 * 3600;

/**
 * What follows the app on a command line.
 * @param argv `process.argv`
 * @param appPath the app's folder when Electron was told which app to run, absent for a packaged app
 */
export function ownArguments(argv: readonly string[], appPath?: string): string[] {
  const rest = argv.slice(1);
  if (appPath === undefined) return rest;
  const index = rest.findIndex((value) => path.resolve(value) === path.resolve(appPath));
  return rest.slice(index + 1);
}

function parseSeconds(text: string): number {
  const seconds = Number(text);
  if (text.trim() === '' || !Number.isFinite(seconds) || seconds <= 0 || seconds > maxSeconds) {
    throw new ArgsError(`--seconds ${text}: expected a number above 0, at most ${maxSeconds}`);
  }
  return seconds;
}

function parseSource(text: string, cwd: string): NonNullable<AppArgs['source']> {
  if (/^https?:/i.test(text)) return { kind: 'url', url: text };
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) {
    throw new ArgsError(`${text}: only http, https and files can be played`);
  }
  return { kind: 'file', path: path.resolve(cwd, text) };
}

/** Reads the app's own arguments. Throws ArgsError. */
export function parseAppArgs(args: readonly string[], cwd: string): AppArgs {
  let parsed;
  try {
    parsed = parseArgs({
      args: args.filter((value) => !chromiumSwitch.test(value)),
      allowPositionals: true,
      options: {
        abr: { type: 'string' },
        'log-dir': { type: 'string' },
        seconds: { type: 'string' },
        json: { type: 'string' },
        'no-mptcp': { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    throw new ArgsError(error instanceof Error ? error.message : String(error));
  }
  const { values, positionals } = parsed;
  const [source, extra] = positionals;
  if (extra !== undefined) throw new ArgsError(`${extra}: only one stream can be opened`);
  return {
    ...(source !== undefined && { source: parseSource(source, cwd) }),
    ...(values.abr !== undefined && { abr: values.abr }),
    ...(values['log-dir'] !== undefined && { logDir: path.resolve(cwd, values['log-dir']) }),
    ...(values.seconds !== undefined && { seconds: parseSeconds(values.seconds) }),
    ...(values.json !== undefined && { jsonFile: path.resolve(cwd, values.json) }),
    mptcp: values['no-mptcp'] !== true,
    help: values.help === true,
  };
}
