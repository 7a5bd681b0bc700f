import { isRecord } from '../core';
import type { MediaPlayerClass } from 'dashjs';
import { abrChoices, pathPolicies, parseUrl } from '../player';
import { OptionError } from './errors';

/** A connection is handed over whole: `{ video, ...feed }`. Closing it stays with the caller. */
const CONNECTION_CLOSE = 'close';

/** Options of every adapter; the first is required. */
export const ADAPTER_OPTIONS = [
  'video',
  'transport',
  'logSink',
  'policy',
  'policyConfig',
  'networks',
  'memory',
  'logSettings',
] as const;

/** An objection to a value, or undefined. */
type Check = (value: unknown) => string | undefined;

/** Below 1 s dash.js stalls; above 10 min it downloads the film. */
const BUFFER_TARGET_MS = { min: 1000, max: 600_000 };

const HEX_KEY = /^[0-9a-f]{32}$/i;

const aText: Check = (value) =>
  typeof value === 'string' && value ? undefined : 'expected a text';

const anObject: Check = (value) => (isRecord(value) ? undefined : 'expected an object');

const withMethods =
  (what: string, names: readonly string[]): Check =>
  (value) =>
    isRecord(value) && names.every((name) => typeof value[name] === 'function')
      ? undefined
      : `expected ${what}`;

const oneOf =
  (names: readonly string[]): Check =>
  (value) =>
    typeof value === 'string' && names.includes(value)
      ? undefined
      : `expected one of ${names.join(', ')}, got ${JSON.stringify(value)}`;

/** Fields of a network's entry, each with the type of its value. */
const NETWORK_FIELDS: Readonly<Record<string, 'string' | 'boolean' | 'number'>> = {
  network: 'string',
  metered: 'boolean',
  costPerGb: 'number',
  budgetBytes: 'number',
  preferred: 'boolean',
};

/**
 * The objection to one entry of `networks`. It is written by hand, because the message schemas would double the size
 * of a page without a feed.
 */
function networkObjection(entry: unknown, index: number): string | undefined {
  if (!isRecord(entry)) return `networks.${index}: expected an object`;
  for (const [field, value] of Object.entries(entry)) {
    const type = NETWORK_FIELDS[field];
    if (type === undefined) return `networks.${index}.${field}: there is no such field`;
    if (value === undefined && field !== 'network') continue;
    const isValid = typeof value === type && (typeof value !== 'number' || value >= 0);
    if (!isValid) return `networks.${index}.${field}: expected a ${type}`;
  }
  return entry['network'] ? undefined : `networks.${index}.network: is missing`;
}

const checks: Record<string, Check> = {
  video: withMethods('a <video> element', ['play', 'pause', 'addEventListener']),
  transport: withMethods('a transport, as connectAgent gives it', ['subscribe', 'watch', 'nowMs']),
  logSink: withMethods('a log sink, as connectAgent gives it', ['write', 'close']),
  abr: oneOf(abrChoices),
  correction: (value) => (typeof value === 'boolean' ? undefined : 'expected true or false'),
  policy: oneOf(pathPolicies.map(({ name }) => name)),
  policyConfig: anObject,
  networks: (value) =>
    Array.isArray(value)
      ? value.map(networkObjection).find((objection) => objection !== undefined)
      : 'expected a list',
  memory: (value) =>
    value === false
      ? undefined
      : withMethods('false or { recall, remember }', ['recall', 'remember'])(value),
  bufferTargetMs: (value) =>
    typeof value === 'number' && value >= BUFFER_TARGET_MS.min && value <= BUFFER_TARGET_MS.max
      ? undefined
      : `expected ${BUFFER_TARGET_MS.min} to ${BUFFER_TARGET_MS.max} milliseconds, got ${String(value)}`,
  keys: (value) =>
    isRecord(value) &&
    Object.entries(value)
      .flat()
      .every((one) => HEX_KEY.test(String(one)))
      ? undefined
      : 'expected { keyId: key }, both as 32 hexadecimal digits',
  audioLanguage: aText,
  audioRole: aText,
  textLanguage: aText,
  textRole: aText,
  textContainer: withMethods('a <div> element', ['append']),
  settings: anObject,
  logSettings: anObject,
  cmcd: (value) =>
    typeof value === 'boolean' || isRecord(value) ? undefined : 'expected true or settings',
  fetch: oneOf(['auto', 'browser', 'networks']),
  player: aText,
  observe: (value) => (typeof value === 'function' ? undefined : 'expected a function'),
};

/**
 * Checks options before anything is built.
 * @param allowed which options there are; the first `required` of them must be given
 * @throws OptionError naming the option
 */
export function checkOptions(options: unknown, allowed: readonly string[], required = 1): void {
  if (!isRecord(options)) throw new OptionError('options', 'expected an object');
  for (const name of allowed.slice(0, required)) {
    if (options[name] === undefined) throw new OptionError(name, 'is missing');
  }
  for (const [name, value] of Object.entries(options)) {
    if (name === CONNECTION_CLOSE) continue;
    if (!allowed.includes(name)) {
      throw new OptionError(name, `there is no such option; there are ${allowed.join(', ')}`);
    }
    const objection = value === undefined ? undefined : checks[name]?.(value);
    if (objection !== undefined) throw new OptionError(name, objection);
  }
}

/**
 * Checks the player that an adapter is given.
 * @param methods that only such a player has
 * @throws OptionError
 */
export function checkPlayer(
  player: unknown,
  option: string,
  name: string,
  methods: readonly string[],
): void {
  const isPlayer =
    (isRecord(player) || typeof player === 'function') &&
    methods.every((method) => method in player);
  if (!isPlayer) throw new OptionError(option, `expected ${name}`);
}

/** @throws OptionError where it is no player of dash.js, or too late */
export function checkDashPlayer(mediaPlayer: unknown): void {
  checkPlayer(
    mediaPlayer,
    'mediaPlayer',
    'a player of dash.js, as MediaPlayer().create() gives it',
    ['initialize', 'addABRCustomRule'],
  );
  if (isInitialized(mediaPlayer as MediaPlayerClass)) {
    throw new OptionError('mediaPlayer', 'is initialized already: attach before initialize()');
  }
}

/** dash.js has no question for it, but a getter that throws before. */
function isInitialized(mediaPlayer: MediaPlayerClass): boolean {
  try {
    mediaPlayer.getInitialMediaSettingsFor('video');
    return true;
  } catch {
    return false;
  }
}

/** An empty address would be the page's own. @throws OptionError */
export function checkAddress(url: unknown): void {
  if (typeof url === 'string' && url !== '' && parseUrl(url, document.baseURI)) return;
  throw new OptionError('url', `expected the address of a manifest, got ${JSON.stringify(url)}`);
}
