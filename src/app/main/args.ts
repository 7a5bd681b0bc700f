import path from 'node:path';
import { parseArgs } from 'node:util';
import { errorText, type MediaChoice, type NetworkWish } from '../../core';
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
import { createPolicy, PolicyConfigError } from '../../policy';
import {
  CARRIAGE_CHOICES,
  DEFAULT_KEPT_BYTES,
  logFormats,
  type CarriageChoice,
  type LogFormat,
} from '../../transport';

/** Settings of path decisions. */
export interface DecisionArgs {
  /** False: dash.js's estimate stays unchanged. */
  correction: boolean;
  /** Path policy by name, checked; absent: the player's own choice. */
  policy?: string;
  policyConfig?: PolicySettings;
  networks: NetworkWish[];
  bufferTargetMs?: number;
  /** False: the app does not change the paths. */
  pathControl: boolean;
  /** Treatment of endpoints made by other programs. */
  foreignEndpoints: 'keep' | 'suspend';
}

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
  /** Destination of the session's summary at the end. */
  jsonFile?: string;
  mptcp: boolean;
  carriage: CarriageChoice;
  decision: DecisionArgs;
  media: MediaChoice;
  help: boolean;
}

/** The command line is invalid; `message` names the option and its error. */
export class ArgsError extends Error {
  override readonly name = 'ArgsError';
}

export const USAGE = `Usage: multipath-dash app [URL or MPD file] [options]

  --abr NAME              bitrate rule to start with; dash.js's own get our forecast and segment rescue
                          unless --no-correction is given
  --no-correction         leave dash.js's throughput estimate as it is
  --policy NAME           which paths to use when (default: our model)
  --policy-config JSON    settings of the policy, one JSON object
  --policy-set KEY=VALUE  one setting; may be repeated
  --metered NETWORK       a network that costs, such as wwan0 or wwan0=200MB; may be repeated
  --no-path-control       leave the paths as the kernel has them
  --foreign-endpoints HOW what becomes of endpoints somebody else made: keep (default), or suspend while
                          the player wants them away
  --buffer SECONDS        media to keep ahead (default: dash.js's own)
  --audio-language TAG    language of the audio, such as de
  --audio-role ROLE       DASH role of the audio, such as commentary or description
  --text-language TAG     language of the subtitles
  --text-role ROLE        DASH role of the subtitles, such as caption
  --key KID:KEY           key ID and key of an encrypted stream, 32 hex digits each; may be repeated
  --log-dir DIR           where session logs go
  --log-format FORM       compact (default): gzip, a tenth of the size; plain: JSON Lines
  --keep-logs SIZE        delete the oldest sessions beyond this size, such as 2GB; all: never
                          (default: 500MB, without --log-dir)
  --seconds N             quit after N seconds
  --json FILE             write a summary of the session when it ends
  --no-mptcp              play over plain TCP
  --carriage NAME         auto (default), mptcp, ranges (byte ranges over every network) or single (one network)
  --help                  this text`;

/** Switches read by Chromium from the same command line; not checked here. */
const chromiumSwitch =
  /^--(no-sandbox|disable-gpu|disable-quic|disable-dev-shm-usage|use-gl=|ozone-platform|enable-features=|disable-features=|force-|remote-debugging-|inspect|enable-logging|log-(level|file)=|v=|vmodule=|user-data-dir=|lang=)/;

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

function parseSeconds(text: string): number {
  const seconds = Number(text);
  if (text.trim() === '' || !Number.isFinite(seconds) || seconds <= 0 || seconds > MAX_SECONDS) {
    throw new ArgsError(`--seconds ${text}: expected a number above 0, at most ${MAX_SECONDS}`);
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

function parseLogFormat(text: string): LogFormat {
  const format = logFormats.find((one) => one === text);
  if (format === undefined) {
    throw new ArgsError(`--log-format ${text}: expected ${logFormats.join(' or ')}`);
  }
  return format;
}

function parseCarriage(text: string): CarriageChoice {
  const choice = CARRIAGE_CHOICES.find((one) => one === text);
  if (choice === undefined) {
    throw new ArgsError(`--carriage ${text}: expected ${CARRIAGE_CHOICES.join(', ')}`);
  }
  return choice;
}

function parseKeptLogs(text: string | undefined, ownFolder: boolean): number {
  if (text !== undefined) return accept('--keep-logs', text, parseKeptLogsText(text));
  // Without a request, nothing is deleted from the user's own folder.
  return ownFolder ? Infinity : DEFAULT_KEPT_BYTES;
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

interface MediaValues {
  'audio-language'?: string | undefined;
  'audio-role'?: string | undefined;
  'text-language'?: string | undefined;
  'text-role'?: string | undefined;
  key?: string[] | undefined;
}

function parseMedia(values: MediaValues): MediaChoice {
  const given = {
    audioLanguage: values['audio-language'],
    audioRole: values['audio-role'],
    textLanguage: values['text-language'],
    textRole: values['text-role'],
    keys: values.key
      ?.map((text) => accept('--key', text, parseKeyText(text)))
      .reduce((all, one) => ({ ...all, ...one }), {}),
  };
  const parsed = parseMediaChoice(JSON.parse(JSON.stringify(given)));
  if (!parsed.ok) throw new ArgsError(parsed.error);
  return parsed.value;
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
        'audio-language': { type: 'string' },
        'audio-role': { type: 'string' },
        'text-language': { type: 'string' },
        'text-role': { type: 'string' },
        key: { type: 'string', multiple: true },
        'log-dir': { type: 'string' },
        'log-format': { type: 'string' },
        'keep-logs': { type: 'string' },
        seconds: { type: 'string' },
        json: { type: 'string' },
        'no-mptcp': { type: 'boolean' },
        carriage: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    throw new ArgsError(errorText(error));
  }
  const { values, positionals } = parsed;
  const [source, extra] = positionals;
  if (extra !== undefined) throw new ArgsError(`${extra}: only one stream can be opened`);
  return {
    ...(source !== undefined && { source: parseSource(source, cwd) }),
    ...(values.abr !== undefined && { abr: values.abr }),
    ...(values['log-dir'] !== undefined && { logDir: path.resolve(cwd, values['log-dir']) }),
    logFormat: parseLogFormat(values['log-format'] ?? 'compact'),
    keptLogBytes: parseKeptLogs(values['keep-logs'], values['log-dir'] !== undefined),
    ...(values.seconds !== undefined && { seconds: parseSeconds(values.seconds) }),
    ...(values.json !== undefined && { jsonFile: path.resolve(cwd, values.json) }),
    mptcp: values['no-mptcp'] !== true,
    carriage: parseCarriage(values.carriage ?? 'auto'),
    decision: parseDecision(values),
    media: parseMedia(values),
    help: values.help === true,
  };
}
