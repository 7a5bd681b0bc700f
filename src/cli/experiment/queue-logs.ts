import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import {
  AQM_TARGETS_MS,
  delaySeries,
  parseNetworkLog,
  scenarioName,
  type DelaySeries,
  type QueueLog,
} from '../../report';
import { readLog } from '../../transport';
import { finishedTrial, readRun } from '../lab/resume';

/** Queues of the trials of a run that count; what cannot be read is left out, as the results' warnings tell. */
function queueLogs(folder: string): QueueLog[] {
  return readRun(folder).plan.flatMap((plan): QueueLog[] => {
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
      return delaySeries(discipline, targetMs, queueLogs(folder));
    }),
  );
}
