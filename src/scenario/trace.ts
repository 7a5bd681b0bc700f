import * as v from 'valibot';
import { errorText, median } from '../core';
import type { TraceStep } from './link-spec';
import { readHeader } from './trace-header';

export interface TraceOptions {
  /**
   * True: the delay follows `latency_ms` of a JSON trace too. It is a round trip, so each direction gets half.
   * Default false.
   */
  followLatency?: boolean;
}

/** A refused trace: file, line and field. */
export class TraceError extends Error {
  override readonly name = 'TraceError';
  readonly code = 'BAD_TRACE';

  constructor(
    readonly file: string,
    /** Line, from 1. */
    readonly line: number,
    readonly field: string,
    /** The problem. */
    readonly detail: string,
  ) {
    super(`${file}, line ${line}, ${field}: ${detail}\n  ${TRACE_FORMATS}`);
  }
}

/** The emulator's bounds of a trace (kMaxTraceSteps) and of a step (kMinStepUs, kMaxStepUs: 30 days). */
const MAX_STEPS = 1_000_000;
const MIN_STEP_MS = 0.1;
/** A step of a sum of times, which are rounded. */
export const ROUNDED_STEP_MS = 0.99 * MIN_STEP_MS;
const MAX_STEP_MS = 2_592_000_000;
/** The emulator's bound of a rate (kMaxRateBps): 100 Gbit/s. */
const MAX_KBPS = 1e8;
export const MAX_TRACE_BPS = 1000 * MAX_KBPS;
/** A round trip, so twice the emulator's bound of a one-way delay (kMaxDelayUs). */
const MAX_LATENCY_MS = 20_000;
/** Size of the packet that one line of a mahimahi trace delivers: one full packet. */
const DELIVERY_BITS = 1500 * 8;
const MAX_PACKETS_PER_MS = Math.floor(MAX_TRACE_BPS / 1000 / DELIVERY_BITS);

/** Characters that V8 quotes before a syntax error of JSON. */
const QUOTED_BEFORE = 10;
/** Times that are mostly closer than this are seconds by mistake: no recording has a rate every millisecond. */
const LEAST_STEP_MS = 5;

/** The accepted formats, in words. */
export const TRACE_FORMATS =
  'a trace is JSON [{"duration_ms", "bandwidth_kbps", "latency_ms"}], or lines of one number (mahimahi: the ' +
  'millisecond a packet may leave), or lines of two (t_ms kbps, or the units of a header such as "time_s,Mbps")';

/** A place in a trace. */
interface Place {
  file: string;
  line: number;
}

function refuse(place: Place, field: string, message: string): never {
  throw new TraceError(place.file, place.line, field, message);
}

function inRange(place: Place, field: string, value: number, min: number, max: number): number {
  if (value >= min && value <= max) return value;
  refuse(place, field, `${value} is not between ${min} and ${max}`);
}

const stepSchema = v.object({
  duration_ms: v.number(),
  bandwidth_kbps: v.number(),
  latency_ms: v.optional(v.number()),
});

/** The first line of each entry of a flat JSON list. */
function entryLines(text: string): number[] {
  return text
    .split('\n')
    .flatMap((line, index) => Array.from(line.matchAll(/\{/g), () => index + 1));
}

/** Place of a syntax error. Some messages of V8 name no position, and quote ten characters before it. */
function jsonErrorAt(text: string, message: string): number {
  const [, position] = /position (\d+)/.exec(message) ?? [];
  if (position !== undefined) return Number(position);
  const [, quoted = ''] = /\.\.\."([\s\S]*?)"(?:\.\.\.)? is not valid JSON/.exec(message) ?? [];
  const at = quoted === '' ? -1 : text.indexOf(quoted);
  return at < 0 ? 0 : at + Math.min(quoted.length, QUOTED_BEFORE);
}

function parseJson(text: string, file: string, options: TraceOptions): TraceStep[] {
  let entries: unknown;
  try {
    entries = JSON.parse(text);
  } catch (error) {
    const line = text.slice(0, jsonErrorAt(text, String(error))).split('\n').length;
    refuse({ file, line }, 'JSON', errorText(error));
  }
  const list = Array.isArray(entries) ? (entries as unknown[]) : [];
  const lines = entryLines(text);
  return list.map((entry, index) => {
    const place = { file, line: lines[index] ?? 1 };
    const parsed = v.safeParse(stepSchema, entry);
    if (!parsed.success) {
      const [issue] = parsed.issues;
      refuse(place, v.getDotPath(issue) ?? 'entry', issue.message);
    }
    const { duration_ms, bandwidth_kbps, latency_ms } = parsed.output;
    const latencyMs = inRange(place, 'latency_ms', latency_ms ?? 0, 0, MAX_LATENCY_MS);
    return {
      durationMs: inRange(place, 'duration_ms', duration_ms, MIN_STEP_MS, MAX_STEP_MS),
      rateBps: 1000 * inRange(place, 'bandwidth_kbps', bandwidth_kbps, 0, MAX_KBPS),
      ...(options.followLatency === true && latency_ms !== undefined
        ? { delayMs: latencyMs / 2 }
        : {}),
    };
  });
}

interface Row {
  place: Place;
  numbers: number[];
}

function parseRows(text: string, file: string): Row[] {
  const rows: Row[] = [];
  let header: { place: Place; text: string } | undefined;
  text.split('\n').forEach((raw, index) => {
    const words = raw.trim().split(/[\s,;]+/);
    if (words[0] === '' || words[0]?.startsWith('#') === true) return;
    const place = { file, line: index + 1 };
    const isText = rows.length === 0 && words.every((word) => isNaN(Number(word)));
    if (isText && header === undefined) {
      header = { place, text: raw };
      return;
    }
    const numbers = words.map((word, column) => {
      const value = Number(word);
      if (word !== '' && Number.isFinite(value)) return value;
      refuse(place, `column ${column + 1}`, `"${word.slice(0, 40)}" is not a number`);
    });
    const expected = rows[0]?.numbers.length ?? Math.min(2, numbers.length);
    if (numbers.length !== expected) {
      refuse(place, 'columns', `${numbers.length} numbers in place of ${expected}`);
    }
    rows.push({ place, numbers });
  });
  return header === undefined ? rows : inHeaderUnits(rows, header);
}

/** The rows in milliseconds and kbit/s. */
function inHeaderUnits(rows: readonly Row[], header: { place: Place; text: string }): Row[] {
  const units = readHeader(header.text, rows[0]?.numbers.length ?? 2);
  if ('detail' in units) refuse(header.place, `column ${units.column}`, units.detail);
  const factors = [units.msPerTime, units.kbpsPerRate];
  return rows.map(({ place, numbers }) => ({
    place,
    numbers: numbers.map((number, column) => number * (factors[column] ?? 1)),
  }));
}

/** Each line delivers one packet by that millisecond; the last one is the length of the trace. */
function fromDeliveries(rows: readonly Row[]): TraceStep[] {
  const steps: TraceStep[] = [];
  const add = (durationMs: number, packets: number): void => {
    const rateBps = packets * DELIVERY_BITS * 1000;
    const last = steps.at(-1);
    if (last?.rateBps === rateBps) last.durationMs += durationMs;
    else if (durationMs > 0) steps.push({ durationMs, rateBps });
  };
  let doneMs = 0;
  let packets = 0;
  let previousMs = 0;
  for (const { place, numbers } of rows) {
    const atMs = numbers[0] ?? Number.NaN;
    if (!(atMs >= previousMs && atMs <= MAX_STEP_MS)) {
      const field = `${atMs} is not between ${previousMs} and ${MAX_STEP_MS}`;
      refuse(place, 't_ms', `${field}; lines of one number are times, not rates`);
    }
    if (!Number.isInteger(atMs)) refuse(place, 't_ms', `${atMs} is not a whole number`);
    // A packet at 0 is sent by 1.
    const dueMs = Math.max(1, atMs);
    if (dueMs > doneMs + 1 && packets > 0) {
      add(1, packets);
      doneMs += 1;
      packets = 0;
    }
    if (dueMs > doneMs + 1) {
      add(dueMs - 1 - doneMs, 0);
      doneMs = dueMs - 1;
    }
    packets += 1;
    if (packets > MAX_PACKETS_PER_MS) {
      refuse(
        place,
        't_ms',
        `more than ${MAX_PACKETS_PER_MS} packets at ${atMs}: ${MAX_TRACE_BPS / 1e9} Gbit/s is the most`,
      );
    }
    previousMs = atMs;
  }
  if (packets > 0) add(1, packets);
  return steps;
}

/** Each rate holds until the next line; the last as long as its predecessor, or a second. */
function fromRates(rows: readonly Row[]): TraceStep[] {
  const steps = rows.map(({ place, numbers }, index) => {
    const [atMs = Number.NaN, kbps = Number.NaN] = numbers;
    const startMs = (row: number): number | undefined => rows[row]?.numbers[0];
    const next = rows[index + 1];
    const nextMs = startMs(index + 1) ?? Infinity;
    if (next !== undefined && nextMs < atMs + MIN_STEP_MS) {
      refuse(next.place, 't_ms', `${nextMs} does not follow ${atMs}: times rise from line to line`);
    }
    const durationMs =
      next === undefined ? atMs - (startMs(index - 1) ?? atMs - 1000) : nextMs - atMs;
    return {
      durationMs: inRange(place, 't_ms', durationMs, ROUNDED_STEP_MS, MAX_STEP_MS),
      rateBps: 1000 * inRange(place, 'kbps', kbps, 0, MAX_KBPS),
    };
  });
  const stepMs = median(steps.slice(0, -1).map(({ durationMs }) => durationMs));
  if (stepMs !== undefined && stepMs < LEAST_STEP_MS && rows[0] !== undefined) {
    refuse(rows[0].place, 't_ms', `most lines are ${stepMs} apart: times are in milliseconds`);
  }
  return steps;
}

/**
 * Reads the text of a trace in any of the three formats.
 * @param file names the trace in errors
 * @throws TraceError BAD_TRACE naming file, line and field
 */
export function parseTrace(raw: string, file: string, options: TraceOptions = {}): TraceStep[] {
  const text = raw.replace(/^\uFEFF/, '');
  const isJson = /^\s*[[{]/.test(text);
  const rows = isJson ? [] : parseRows(text, file);
  const isDeliveries = rows[0]?.numbers.length === 1;
  const fromText = isDeliveries ? fromDeliveries : fromRates;
  const steps = isJson ? parseJson(text, file, options) : fromText(rows);
  const place = { file, line: 1 };
  if (options.followLatency === true && steps.every(({ delayMs }) => delayMs === undefined)) {
    refuse(place, 'latency', 'no step has "latency_ms"');
  }
  if (steps.length === 0) refuse(place, 'trace', 'there are no steps in it');
  if (steps.length > MAX_STEPS) {
    refuse(place, 'trace', `${steps.length} steps are more than ${MAX_STEPS}`);
  }
  if (steps.every((step) => step.rateBps === 0)) refuse(place, 'trace', 'every rate is 0');
  return steps;
}
