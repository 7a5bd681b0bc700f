import { readFileSync } from 'node:fs';
import path from 'node:path';
import { queueSeconds, type AqmJob, type AqmOutcome } from '../../experiments';
import { checkTrafficPrograms, labRefusal } from '../../lab';
import { parseNetworkLog } from '../../report';
import { readLog } from '../../transport';
import type { SimulationRequest, Workers } from '../jobs';
import { LabSessions } from '../run';

/** Queue delay of both bottlenecks from the start of a session to its end, from its logs. */
export function queuesOf(folder: string): AqmOutcome['queues'] {
  const { events } = readLog(path.join(folder, 'session.jsonl'));
  const { samples } = parseNetworkLog(readFileSync(path.join(folder, 'network.jsonl'), 'utf8'));
  const [first, last] = [events[0], events.at(-1)];
  if (first === undefined || last === undefined) throw new Error(`${folder}: the log is empty`);
  return queueSeconds({ samples, fromMs: first.monotonicMs, toMs: last.monotonicMs });
}

/**
 * Plays the trials of `experiment aqm --backend kernel` in the lab, with the background traffic of the scenario.
 * @param folder of the sessions' logs
 * @throws LabError where this machine has no lab, or a program of the background traffic is missing
 */
export async function startAqmRuns(folder: string): Promise<Workers> {
  const refusal = await labRefusal({ isEmulated: true });
  if (refusal !== undefined) throw refusal;
  await checkTrafficPrograms([{ kind: 'ftp' }, { kind: 'voip' }, { kind: 'web' }]);
  const sessions = new LabSessions(folder);
  return {
    run: async (request): Promise<AqmOutcome> => {
      const { job } = request as { job: AqmJob } & SimulationRequest;
      const player = job.scenario.players[0]?.id ?? '';
      const played = await sessions.play({ ...job, player });
      // The paper's delay of FQ-PIE needs the length of each flow queue; the emulator reports the whole.
      return { metrics: played.metrics, queues: queuesOf(played.folder), active: {} };
    },
    end: () => sessions.end(),
  };
}
