import {
  AGENT_FEED_KEY,
  AGENT_TOKEN_KEY,
  parseBufferText,
  parseMediaChoice,
  parseNetworks,
} from '../ipc';
import type { AbrChoice, MediaChoice, NetworkWish } from '../sdk';

/** The parameters in the page's address. */
export interface PageConfig {
  /** Address of the MPD to play. */
  mpd: string;
  abr: AbrChoice;
  correction: boolean;
  autoplay: boolean;
  /** Path policy by name; absent: the player's own choice. */
  policy: string | undefined;
  policyConfig: Record<string, unknown> | undefined;
  networks: NetworkWish[] | undefined;
  bufferTargetMs: number | undefined;
  media: MediaChoice;
  /** The agent to connect to, if any. */
  agent: { url: string; token: string } | undefined;
}

/** An unsupported parameter in the address; the message names it. */
export class PageConfigError extends Error {
  override readonly name = 'PageConfigError';
}

/**
 * Reads `#mpd=<url>&feed=<url>&token=<token>&abr=<choice>&correction=0|1&autoplay=0|1&policy=<name>` and
 * `&policyConfig=<JSON object>&networks=<JSON list>&bufferTarget=<seconds>&media=<JSON object>`. The fragment never leaves the
 * browser, so the token is in no server's log.
 * @param choices permitted values of `abr`
 * @throws PageConfigError
 */
export function readPageConfig(hash: string, choices: readonly AbrChoice[]): PageConfig {
  const parameters = new URLSearchParams(hash.replace(/^#/, ''));
  const mpd = parameters.get('mpd');
  if (mpd === null || mpd === '') {
    throw new PageConfigError('Nothing to play: add #mpd=<address of an MPD> to the address.');
  }
  const feed = parameters.get(AGENT_FEED_KEY);
  const token = parameters.get(AGENT_TOKEN_KEY);
  if ((feed === null) !== (token === null)) {
    throw new PageConfigError('feed and token belong together: give both or neither.');
  }
  return {
    mpd,
    abr: readAbr(parameters.get('abr'), choices),
    correction: readSwitch(parameters, 'correction', true),
    autoplay: readSwitch(parameters, 'autoplay', false),
    policy: parameters.get('policy') ?? undefined,
    policyConfig: readObject(parameters, 'policyConfig'),
    networks: readNetworks(parameters),
    bufferTargetMs: readBufferTarget(parameters.get('bufferTarget')),
    media: readMedia(parameters),
    agent: feed !== null && token !== null ? { url: feed, token } : undefined,
  };
}

function readAbr(text: string | null, choices: readonly AbrChoice[]): AbrChoice {
  if (text === null) return 'multipath';
  const choice = choices.find((one) => one === text);
  if (choice === undefined) {
    throw new PageConfigError(`abr must be one of ${choices.join(', ')}, not '${text}'.`);
  }
  return choice;
}

function readSwitch(parameters: URLSearchParams, name: string, otherwise: boolean): boolean {
  const text = parameters.get(name);
  if (text === null) return otherwise;
  if (text === '1' || text === 'true') return true;
  if (text === '0' || text === 'false') return false;
  throw new PageConfigError(`${name} must be 1 or 0, not '${text}'.`);
}

function readBufferTarget(text: string | null): number | undefined {
  if (text === null) return undefined;
  const seconds = parseBufferText(text);
  if (!seconds.ok) throw new PageConfigError(`bufferTarget: ${seconds.error}, not '${text}'.`);
  return seconds.value * 1000;
}

function readJson(parameters: URLSearchParams, name: string): unknown {
  const text = parameters.get(name);
  if (text === null) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw new PageConfigError(`${name} must be JSON, not '${text}'.`);
  }
}

function readObject(
  parameters: URLSearchParams,
  name: string,
): Record<string, unknown> | undefined {
  const value = readJson(parameters, name);
  if (value === undefined) return undefined;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new PageConfigError(`${name} must be a JSON object such as {"rho":0.6}.`);
  }
  return { ...value };
}

function readMedia(parameters: URLSearchParams): MediaChoice {
  const parsed = parseMediaChoice(readJson(parameters, 'media') ?? {});
  if (!parsed.ok) throw new PageConfigError(`media: ${parsed.error}.`);
  return parsed.value;
}

function readNetworks(parameters: URLSearchParams): NetworkWish[] | undefined {
  const value = readJson(parameters, 'networks');
  if (value === undefined) return undefined;
  const parsed = parseNetworks(value);
  if (!parsed.ok) throw new PageConfigError(`networks: ${parsed.error}.`);
  return parsed.value;
}
