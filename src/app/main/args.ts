import path from 'node:path';
import { parseArgs } from 'node:util';
import {
  parseBufferText,
  parseMeteredText,
  parsePolicyConfigText,
  parsePolicySettingText,
  type Parsed,
  type PolicySettings,
} from '../../ipc';
import { createPolicy, PolicyConfigError } from '../../paths';
import type { NetworkWish } from '../../ports';

/** How paths are decided about. */
export interface DecisionArgs {
  /** False: dash.js's estimate stays as it is. */
  correction: boolean;
  /** Path policy by name, checked; absent: the player's own choice. */
  policy?: string;
  policyConfig?: PolicySettings;
  networks: NetworkWish[];
  bufferTargetMs?: number;
  /** False: nothing of ours touches the paths. */
  pathControl: boolean;
  /** What becomes of endpoints somebody else made. */
  foreignEndpoints: 'keep' | 'suspend';
}

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
  decision: DecisionArgs;
  help: boolean;
}

/** The command line cannot be understood; `message` says what is wrong with which option. */
export class ArgsError extends Error {
  override readonly name = 'ArgsError';
}

export const usage = `Usage: multipath-dash app [URL or MPD file] [options]

  --abr NAME              bitrate rule to start with
  --no-correction         leave dash.js's throughput estimate as it is
  --policy NAME           which paths to use when (default: our model)
  --policy-config JSON    settings of the policy, one JSON object
  --policy-set KEY=VALUE  one setting; may be repeated
  --metered NETWORK       a network that costs, such as wwan0 or wwan0=200MB; may be repeated
  --no-path-control       leave the paths as the kernel has them
  --foreign-endpoints HOW what becomes of endpoints somebody else made: keep (default), or suspend while
                          the player wants them away
  --buffer SECONDS        media to keep ahead (default: dash.js's own)
  --log-dir DIR           where session logs go
  --seconds N             quit after N seconds
  --json FILE             write a summary of the session when it ends
  --no-mptcp              play over plain TCP
  --help                  this text`;

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

function accept<T>(option: string, text: string, parsed: Parsed<T>): T {
  if (parsed.ok) return parsed.value;
  throw new ArgsError(`${option} ${text}: ${parsed.error}`);
}

interface DecisionValues {
  'no-correction'?: boolean | undefined;
  policy?: string | undefined;
  'policy-config'?: string | undefined;
  'policy-set'?: string[] | undefined;
  metered?: string[] | undefined;
  'no-path-control'?: boolean | undefined;
  'foreign-endpoints'?: string | undefined;
  buffer?: string | undefined;
}

function readPolicyConfig(values: DecisionValues): PolicySettings | undefined {
  const whole = values['policy-config'];
  const single = values['policy-set'] ?? [];
  if (whole === undefined && single.length === 0) return undefined;
  if (values.policy === undefined) {
    throw new ArgsError('--policy-config and --policy-set need --policy');
  }
  const config: PolicySettings =
    whole === undefined ? {} : accept('--policy-config', whole, parsePolicyConfigText(whole));
  const settings = single.map((text) => accept('--policy-set', text, parsePolicySettingText(text)));
  return settings.reduce((all, one) => ({ ...all, ...one }), config);
}

function parseDecision(values: DecisionValues): DecisionArgs {
  const { policy, buffer, 'foreign-endpoints': foreign = 'keep' } = values;
  const policyConfig = readPolicyConfig(values);
  try {
    if (policy !== undefined) createPolicy(policy, policyConfig ?? {});
  } catch (error) {
    if (error instanceof PolicyConfigError) throw new ArgsError(`--policy: ${error.message}`);
    throw error;
  }
  if (foreign !== 'keep' && foreign !== 'suspend') {
    throw new ArgsError(`--foreign-endpoints ${foreign}: expected keep or suspend`);
  }
  return {
    correction: values['no-correction'] !== true,
    ...(policy !== undefined && { policy }),
    ...(policyConfig !== undefined && { policyConfig }),
    networks: (values.metered ?? []).map((text) =>
      accept('--metered', text, parseMeteredText(text)),
    ),
    ...(buffer !== undefined && {
      bufferTargetMs: accept('--buffer', buffer, parseBufferText(buffer)) * 1000,
    }),
    pathControl: values['no-path-control'] !== true,
    foreignEndpoints: foreign,
  };
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
        'no-correction': { type: 'boolean' },
        policy: { type: 'string' },
        'policy-config': { type: 'string' },
        'policy-set': { type: 'string', multiple: true },
        metered: { type: 'string', multiple: true },
        'no-path-control': { type: 'boolean' },
        'foreign-endpoints': { type: 'string' },
        buffer: { type: 'string' },
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
    decision: parseDecision(values),
    help: values.help === true,
  };
}
