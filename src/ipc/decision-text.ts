/** The forms in which a command line says how paths are decided about; `multipath-dash` and the app read the same. */
import type * as v from 'valibot';
import type { NetworkWish } from '../ports';
import { parseNetworks, policyConfigSchema } from './brain-schema';
import { parse, type Parsed } from './parse';

/** Seconds of media ahead that make sense. */
const bufferSecondsRange = { least: 1, most: 600 } as const;

/** A policy's settings: names and plain values. */
export type PolicySettings = v.InferOutput<typeof policyConfigSchema>;

const notAnObject = { ok: false, error: 'expected a JSON object such as {"rho":0.6}' } as const;

/** Reads a policy's settings, one JSON object. */
export function parsePolicyConfigText(text: string): Parsed<PolicySettings> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return notAnObject;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return notAnObject;
  return parse(policyConfigSchema, value, 'settings');
}

/** Reads one setting, `key=value`; a value that is no JSON is text. */
export function parsePolicySettingText(text: string): Parsed<PolicySettings> {
  const [, key, value] = /^([A-Za-z]\w*)=(.+)$/.exec(text) ?? [];
  if (key === undefined || value === undefined) {
    return { ok: false, error: 'expected key=value such as rho=0.6' };
  }
  return parse(policyConfigSchema, { [key]: jsonOrText(value) }, 'setting');
}

function jsonOrText(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

/** Reads a network that costs: `wwan0`, or with its budget `wwan0=200MB`. */
export function parseMeteredText(text: string): Parsed<NetworkWish> {
  const [, network, amount, unit = ''] =
    /^([^=\s]+)(?:=(\d+(?:\.\d+)?)(kB|MB|GB)?)?$/.exec(text) ?? [];
  if (network === undefined) {
    return { ok: false, error: 'expected NETWORK or NETWORK=BYTES such as wwan0=200MB' };
  }
  const scale = { kB: 1e3, MB: 1e6, GB: 1e9 }[unit] ?? 1;
  const budget = amount === undefined ? {} : { budgetBytes: Number(amount) * scale };
  const wishes = parseNetworks([{ network, metered: true, ...budget }]);
  const wish = wishes.ok ? wishes.value[0] : undefined;
  if (wish) return { ok: true, value: wish };
  return { ok: false, error: wishes.ok ? 'expected a network' : wishes.error };
}

/** Reads the media to keep ahead, in seconds. */
export function parseBufferText(text: string): Parsed<number> {
  const { least, most } = bufferSecondsRange;
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (value >= least && value <= most) return { ok: true, value };
  return { ok: false, error: `expected ${least} to ${most} seconds` };
}

/** What is said later of a network replaces what was said before of it; of the others it changes nothing. */
export function mergeNetworks(
  before: readonly NetworkWish[],
  later: readonly NetworkWish[],
): NetworkWish[] {
  const byName = new Map([...before, ...later].map((wish) => [wish.network, wish]));
  return [...byName.values()];
}
