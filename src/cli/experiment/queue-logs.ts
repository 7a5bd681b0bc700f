import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import {
  AQM_TARGETS_MS,
  delaySeries,
  queueSeconds,
  scenarioName,
  type DelaySeries,
  type QueueSamples,
} from '../../experiments';
import { parseNetworkLog } from '../../report';
import { readLog } from '../../transport';
import { finishedTrial, readRun } from '../../runner/run';

/** Queues of a run's valid trials. Unreadable ones are left out; the results' warnings name them. */
function queueLogs(folder: string): QueueSamples[] {
  return readRun(folder).plan.flatMap((plan): QueueSamples[] => {
    if (finishedTrial(folder, plan)?.outcome !== 'ok') return [];
    const trial = path.join(folder, plan.folder);
    const [session, network] = ['session.jsonl', 'network.jsonl'].map((name) =>
      path.join(trial, name),
    );
    if (session === undefined || network === undefined) return [];
    if (!existsSync(session) || !existsSync(network)) return [];
    const { events } = readLog(session);
    const [first, last] = [events[0], events.at(-1)];
    if (first === undefined || last === undefined) return [];
    const { samples } = parseNetworkLog(readFileSync(network, 'utf8'));
    return [{ samples, fromMs: first.monotonicMs, toMs: last.monotonicMs }];
  });
}

/** Queue delay over time of all scenarios of the experiment below a folder. */
export function readDelays(base: string): DelaySeries[] {
  return (['pie', 'fq-pie'] as const).flatMap((discipline) =>
    AQM_TARGETS_MS.flatMap((targetMs) => {
      const folder = path.join(base, scenarioName(discipline, targetMs));
      if (!existsSync(path.join(folder, 'run.json'))) return [];
      return delaySeries(discipline, targetMs, queueLogs(folder).map(queueSeconds));
    }),
  );
}
