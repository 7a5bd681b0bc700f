import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as v from 'valibot';
import { errorText } from '../../core';
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
import type { Scenario, TrialPlan, TrialRecord } from '../../scenario';
import { readLog } from '../../transport';
import { readChecked } from './run-record';

const trialSchema = v.looseObject({
  schemaVersion: v.literal(1),
  startMonotonicMs: v.number(),
  outcome: v.picklist(['ok', 'failed']),
  media: v.looseObject({ segmentMs: v.number(), video: v.array(v.unknown()) }),
  traffic: v.array(v.unknown()),
});

export interface ReadTrial {
  result: TrialResult;
  /** Metrics in the order of their definition; empty for a trial without a log. */
  metrics: Metric[];
  series: TrialSeries | undefined;
  distributions: TrialDistributions | undefined;
}

/** Reads one trial of a run. Never throws for the content of its folder: `problems` lists the errors. */
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
    return { result: { ...result, status: 'cut', problems: [errorText(error)] }, ...empty };
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
    result.problems.push(errorText(error));
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
    result.problems.push('the log contains no measurement');
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
