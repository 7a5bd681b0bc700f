/** Command line syntax of path decisions, for `multipath-dash` and the app. */
import type * as v from 'valibot';
import type { NetworkWish } from '../core';
import { parseNetworks, policyConfigSchema } from './brain-schema';
import { parse, type Parsed } from './parse';

/** Sensible buffer targets, in seconds. */
const bufferSecondsRange = { least: 1, most: 600 } as const;

/** A policy's settings: names and plain values. */
export type PolicySettings = v.InferOutput<typeof policyConfigSchema>;

const notAnObject = { ok: false, error: 'expected a JSON object such as {"rho":0.6}' } as const;

/** Parses a policy's settings, one JSON object. */
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

/** Parses one setting, `key=value`; a value that is not JSON is text. */
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

const bytesIn = { B: 1, kB: 1e3, MB: 1e6, GB: 1e9 } as const;

/**
 * Reads an amount of data: a number and its unit, such as `200MB`. A bare number is refused, because it may mean
 * MB.
 */
export function parseBytesText(text: string): Parsed<number> {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)(B|kB|MB|GB)$/.exec(text) ?? [];
  if (amount === undefined || unit === undefined) {
    return {
      ok: false,
      error: `expected a number with B, kB, MB or GB such as 200MB, not ${text}`,
    };
  }
  return { ok: true, value: Number(amount) * bytesIn[unit as keyof typeof bytesIn] };
}

/** Parses a costly network: `wwan0`, or with its budget `wwan0=200MB`. */
export function parseMeteredText(text: string): Parsed<NetworkWish> {
  const [, network, amount] = /^([^=\s]+)(?:=(.*))?$/.exec(text) ?? [];
  if (network === undefined) {
    return { ok: false, error: 'expected NETWORK or NETWORK=BYTES such as wwan0=200MB' };
  }
  const bytes = amount === undefined ? undefined : parseBytesText(amount);
  if (bytes?.ok === false) return bytes;
  const budget = bytes === undefined ? {} : { budgetBytes: bytes.value };
  const wishes = parseNetworks([{ network, metered: true, ...budget }]);
  const wish = wishes.ok ? wishes.value[0] : undefined;
  if (wish) return { ok: true, value: wish };
  return { ok: false, error: wishes.ok ? 'expected a network' : wishes.error };
}

/** Parses the buffer target in seconds. */
export function parseBufferText(text: string): Parsed<number> {
  const { least, most } = bufferSecondsRange;
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (value >= least && value <= most) return { ok: true, value };
  return { ok: false, error: `expected ${least} to ${most} seconds` };
}

/** Reads how much of session logs to keep: an amount of data, or `all`. */
export function parseKeptLogsText(text: string): Parsed<number> {
  return text === 'all' ? { ok: true, value: Infinity } : parseBytesText(text);
}

/** A later preference for a network replaces the earlier one, and leaves other networks unchanged. */
export function mergeNetworks(
  before: readonly NetworkWish[],
  later: readonly NetworkWish[],
): NetworkWish[] {
  const byName = new Map([...before, ...later].map((wish) => [wish.network, wish]));
  return [...byName.values()];
}
