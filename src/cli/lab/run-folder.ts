import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as v from 'valibot';
import {
  parseNetworkLog,
  trialDistributions,
  trialNumbers,
  trialSeries,
  type NetworkSample,
  type TrialDistributions,
  type TrialResult,
  type TrialSeries,
} from '../../report';
import type { Metric } from '../../qoe';
import type { RunRecord, Scenario, TrialPlan, TrialRecord } from '../../scenario';
import { readLog } from '../../transport';
import { CliError } from '../cli-error';

/** What has to be right for a run to be read at all; the rest is as `lab run` wrote it. */
const runSchema = v.looseObject({
  schemaVersion: v.literal(1),
  scenario: v.looseObject({
    name: v.string(),
    players: v.array(v.looseObject({ id: v.string() })),
    topology: v.looseObject({ paths: v.array(v.unknown()), links: v.array(v.unknown()) }),
  }),
  plan: v.array(
    v.looseObject({ player: v.string(), trial: v.number(), seed: v.number(), folder: v.string() }),
  ),
});

const trialSchema = v.looseObject({
  schemaVersion: v.literal(1),
  startMonotonicMs: v.number(),
  outcome: v.picklist(['ok', 'failed']),
  media: v.looseObject({ segmentMs: v.number(), video: v.array(v.unknown()) }),
  traffic: v.array(v.unknown()),
});

const reasonOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

/**
 * Reads `run.json`.
 * @throws CliError naming file and field when it cannot be read or is not one
 */
export function readRun(folder: string): RunRecord {
  const file = path.join(folder, 'run.json');
  return readChecked(file, runSchema) as RunRecord;
}

function readChecked(file: string, schema: v.GenericSchema): unknown {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new CliError(`${file} cannot be read: ${reasonOf(error)}`);
  }
  const parsed = v.safeParse(schema, value);
  if (!parsed.success) {
    const [issue] = parsed.issues;
    throw new CliError(`${file}: ${v.getDotPath(issue) ?? 'all of it'}: ${issue.message}`);
  }
  return parsed.output;
}

export interface ReadTrial {
  result: TrialResult;
  /** In the order of their definition; empty for a trial without a log. */
  metrics: Metric[];
  series: TrialSeries | undefined;
  distributions: TrialDistributions | undefined;
}

/** Reads one trial of a run. Never throws for what is in its folder: that is what `problems` tells. */
export function readTrial(run: string, scenario: Scenario, plan: TrialPlan): ReadTrial {
  const folder = path.join(run, plan.folder);
  const result: TrialResult = {
    run,
    ...plan,
    status: 'ok',
    problems: [],
    metrics: {},
    optimum: null,
  };
  const empty = { metrics: [], series: undefined, distributions: undefined };
  const sessionFile = path.join(folder, 'session.jsonl');
  const hasLog = existsSync(sessionFile);
  const recordFile = path.join(folder, 'trial.json');
  if (!existsSync(recordFile)) {
    const status = hasLog ? 'cut' : 'missing';
    const problem = hasLog ? 'no trial.json: ended in mid-trial' : 'not there';
    return { result: { ...result, status, problems: [problem] }, ...empty };
  }
  let record: TrialRecord;
  try {
    record = readChecked(recordFile, trialSchema) as TrialRecord;
  } catch (error) {
    return { result: { ...result, status: 'cut', problems: [reasonOf(error)] }, ...empty };
  }
  if (record.outcome === 'failed') {
    result.status = 'failed';
    result.problems.push(record.error ?? 'failed without a reason');
  }
  if (!hasLog) {
    if (result.status === 'ok') result.status = 'cut';
    result.problems.push('no session.jsonl');
    return { result, ...empty };
  }
  try {
    return { ...readLogs(result, scenario, record, sessionFile, folder) };
  } catch (error) {
    result.status = 'cut';
    result.problems.push(reasonOf(error));
    return { result, ...empty };
  }
}

function readLogs(
  result: TrialResult,
  scenario: Scenario,
  record: TrialRecord,
  sessionFile: string,
  folder: string,
): ReadTrial {
  const log = readLog(sessionFile);
  if (log.errors.length > 0) {
    result.problems.push(`${log.errors.length} bad lines, first: ${log.errors[0]?.message ?? ''}`);
  }
  const [end] = log.events.filter((event) => event.type === 'end').slice(-1);
  if (!end) {
    if (result.status === 'ok') result.status = 'cut';
    result.problems.push('session.jsonl has no end');
  } else if (end.reason === 'failed' || end.reason === 'interrupted') {
    if (result.status === 'ok') result.status = end.reason === 'failed' ? 'failed' : 'cut';
    result.problems.push(`the session ended: ${end.reason}`);
  }
  const network = readNetwork(path.join(folder, 'network.jsonl'), result.problems);
  const numbers = trialNumbers(scenario, { record, events: log.events, network });
  for (const { metric, value } of numbers.values) result.metrics[metric.name] = value;
  result.optimum = numbers.optimum;
  if (!numbers.values.some(({ value }) => value !== null && value !== 0)) {
    result.problems.push('the log tells nothing');
  }
  return {
    result,
    metrics: numbers.values.map(({ metric }) => metric),
    series: trialSeries(scenario, log.events, network),
    distributions: trialDistributions(scenario, log.events, network),
  };
}

function readNetwork(file: string, problems: string[]): NetworkSample[] {
  if (!existsSync(file)) {
    problems.push('no network.jsonl');
    return [];
  }
  const { samples, badLines } = parseNetworkLog(readFileSync(file, 'utf8'));
  if (badLines > 0) problems.push(`network.jsonl: ${badLines} bad lines`);
  return samples;
}
