import type { SampleBatch } from '../core';
import type { BrainEvent, BrainLogEntry, LogEvent } from '../session-log';
import {
  stepBrain,
  createBrain,
  type BrainState,
  type BrainConfig,
  type BrainDecision,
  type BrainInput,
  type BrainObservation,
  type RequestDone,
} from '../brain';

/** A log that cannot be replayed. The message names the missing part. */
export class BrainLogError extends Error {
  override readonly name = 'BrainLogError';
}

/** Two different decisions from the same inputs. */
export interface ReplayDifference {
  /** Number of equal decisions before it. */
  index: number;
  monotonicMs: number;
  trigger: string;
  /** Undefined if the log has only the decision's digest. */
  recorded?: unknown;
  replayed: BrainDecision;
  /** The first field that differs. `digest` if the log has no more. */
  field: string;
}

export interface ReplayResult {
  decisions: number;
  /** The first difference, if there is one. */
  difference?: ReplayDifference | undefined;
}

/**
 * Two 32-bit lanes of FNV-1a over UTF-16 units. It distinguishes decisions; it is no protection against
 * attacks.
 */
export function digestOf(decision: BrainDecision): string {
  const text = JSON.stringify(canonical(decision));
  let a = 0x811c9dc5;
  let b = 0xcbf29ce4;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    a = Math.imul(a ^ unit, 0x01000193);
    b = Math.imul(b ^ (unit + index), 0x01000193);
  }
  return [a, b].map((lane) => (lane >>> 0).toString(16).padStart(8, '0')).join('');
}

/** The same JSON for every order of fields. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  entries.sort(([one], [two]) => (one < two ? -1 : 1));
  return Object.fromEntries(entries.map(([key, item]) => [key, canonical(item)]));
}

/** The decision without the fields that change with every sample. */
const outcomeOf = ({ paths, rungs, abandon, trusted }: BrainDecision): string =>
  JSON.stringify({ paths, rungs, abandon, trusted });

/**
 * Records a brain's inputs and decisions in a complete and small log: samples by their time, the changes of
 * an observation, and the digest of an unchanged decision.
 */
export class BrainJournal {
  #entries: BrainLogEntry[] = [];
  #before: Record<string, string> = {};
  #outcome = '';

  /** The brain's first configuration, or a new one. */
  config(config: BrainConfig): void {
    this.#entries.push({ k: 'config', config });
  }

  input(input: Exclude<BrainInput, { type: 'decide' | 'configure' }>): void {
    this.#entries.push(entryOf(input));
  }

  decided(observation: BrainObservation, decision: BrainDecision): void {
    const changed: Record<string, unknown> = {};
    const now: Record<string, string> = {};
    for (const [field, value] of Object.entries(observation) as [string, unknown][]) {
      if (value === undefined) continue;
      const text = JSON.stringify(value);
      now[field] = text;
      if (this.#before[field] !== text) changed[field] = value;
    }
    for (const field of Object.keys(this.#before)) if (!(field in now)) changed[field] = null;
    this.#before = now;
    const outcome = outcomeOf(decision);
    const full = outcome !== this.#outcome || decision.trigger === 'segment';
    this.#outcome = outcome;
    this.#entries.push({
      k: 'decide',
      observation: changed,
      digest: digestOf(decision),
      ...(full ? { decision } : {}),
    });
  }

  /** Returns everything since the last call, for one log event. */
  take(): BrainLogEntry[] {
    return this.#entries.splice(0);
  }
}

function entryOf(input: Exclude<BrainInput, { type: 'decide' | 'configure' }>): BrainLogEntry {
  switch (input.type) {
    case 'samples': {
      const { monotonicMs, lostSamples } = input.batch;
      return { k: 'samples', at: monotonicMs, ...(lostSamples > 0 ? { lost: lostSamples } : {}) };
    }
    case 'path-event':
      return { k: 'path', event: input.event };
    case 'request-start':
      return { k: 'start', ...input.request };
    case 'request-end':
      return { k: 'end', request: input.request };
    case 'feed-ended':
      return { k: 'feed-ended' };
  }
}

/**
 * Runs the brain again over a session's log and compares every decision.
 * @param onInput sees each input that is no decision, and the state before it
 * @throws BrainLogError if the log contains none, or lacks an input of a decision
 */
export function replayLog(
  events: readonly LogEvent[],
  onInput?: (before: BrainState, input: BrainInput) => void,
): ReplayResult {
  const batches = new Map<number, SampleBatch>();
  for (const event of events) {
    if (event.type === 'samples') batches.set(event.batch.monotonicMs, event.batch);
  }
  const entries = events
    .filter((event): event is BrainEvent => event.type === 'brain')
    .flatMap((event) => event.entries);
  if (entries[0]?.k !== 'config') {
    throw new BrainLogError(
      'the log holds no decisions of the brain: dash.js decided alone, or the log has lost its beginning',
    );
  }
  let state: BrainState | undefined;
  let observation: Record<string, unknown> = {};
  let decisions = 0;
  for (const entry of entries) {
    if (entry.k === 'config') {
      // The reader validated the entry. The policy validates its own settings.
      const config = entry.config as BrainConfig;
      state = state ? stepBrain(state, { type: 'configure', config }).state : createBrain(config);
      continue;
    }
    if (!state) continue;
    if (entry.k !== 'decide') {
      const input = inputOf(entry, batches);
      onInput?.(state, input);
      state = stepBrain(state, input).state;
      continue;
    }
    observation = { ...observation, ...entry.observation };
    for (const [field, value] of Object.entries(observation)) {
      if (value === null) observation = without(observation, field);
    }
    const step = stepBrain(state, {
      type: 'decide',
      observation: observation as unknown as BrainObservation,
    });
    state = step.state;
    const replayed = step.decision;
    if (!replayed) continue;
    const difference = compare(entry, replayed, decisions);
    if (difference) return { decisions, difference };
    decisions += 1;
  }
  return { decisions };
}

function inputOf(
  entry: Exclude<BrainLogEntry, { k: 'config' | 'decide' }>,
  batches: ReadonlyMap<number, SampleBatch>,
): BrainInput {
  switch (entry.k) {
    case 'samples': {
      const batch = batches.get(entry.at);
      if (!batch) {
        throw new BrainLogError(
          `the log lacks the samples of ${entry.at} ms, which a decision used`,
        );
      }
      return { type: 'samples', batch: { ...batch, lostSamples: entry.lost ?? 0 } };
    }
    case 'path':
      return { type: 'path-event', event: entry.event };
    case 'start':
      return { type: 'request-start', request: entry };
    case 'end':
      return { type: 'request-end', request: entry.request as RequestDone };
    case 'feed-ended':
      return { type: 'feed-ended' };
  }
}

function without(record: Record<string, unknown>, field: string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([key]) => key !== field));
}

function compare(
  entry: Extract<BrainLogEntry, { k: 'decide' }>,
  replayed: BrainDecision,
  index: number,
): ReplayDifference | undefined {
  const { decision: recorded } = entry;
  const place = { index, monotonicMs: replayed.monotonicMs, trigger: replayed.trigger, replayed };
  if (recorded) {
    const field = firstDifference(recorded, JSON.parse(JSON.stringify(replayed)) as unknown);
    if (field !== undefined) return { ...place, recorded, field };
  }
  return entry.digest === digestOf(replayed) ? undefined : { ...place, field: 'digest' };
}

/** Path of the first different field of two JSON values. */
function firstDifference(one: unknown, two: unknown, at = ''): string | undefined {
  if (Object.is(one, two)) return undefined;
  const bothObjects =
    typeof one === 'object' && typeof two === 'object' && one !== null && two !== null;
  if (!bothObjects || Array.isArray(one) !== Array.isArray(two)) return at === '' ? '*' : at;
  const [left, right] = [one as Record<string, unknown>, two as Record<string, unknown>];
  for (const key of [...new Set([...Object.keys(left), ...Object.keys(right)])].sort()) {
    const found = firstDifference(left[key], right[key], at === '' ? key : `${at}.${key}`);
    if (found !== undefined) return found;
  }
  return undefined;
}
