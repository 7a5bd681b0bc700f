import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { DecisionsJob, DecisionsOutcome } from '../../experiments';
import { labRefusal, type PreparedMedia } from '../../lab';
import type { RunRecord, Scenario, TrialPlan } from '../../scenario';
import { mediaProgress } from '../host';
import { startWorkers, type SimulationRequest, type Workers } from '../jobs';
import { MEDIA_FILE, playTrialApart, readTrial } from '../run';
import { prepareTrials } from '../trial';

export interface DecisionRunsOptions {
  /** Folder of the sessions' logs. */
  folder: string;
  /** Simulating threads. */
  lanes: number;
}

/** Option that errors of a full disk name. */
const RESUME = '--resume FOLDER';

/** One session as a run of one trial: the lab plays nothing else. */
export function runOf({ scenario, player, trial, seed }: DecisionsJob): {
  record: RunRecord;
  plan: TrialPlan;
} {
  const players = scenario.players.filter(({ id }) => id === player);
  const plan = { number: 1, player, trial, seed, folder: `trials/1-${player}` };
  const record = {
    schemaVersion: 1 as const,
    scenario: { ...scenario, players, trials: 1 },
    startedAt: new Date().toISOString(),
    machine: {},
    plan: [plan],
  };
  return { record, plan };
}

/** @throws Error if the session did not run to its end: its job is played again in the next run */
function metricsOf(runDir: string, scenario: Scenario, plan: TrialPlan): DecisionsOutcome {
  const { result } = readTrial(runDir, scenario, plan);
  if (result.status !== 'ok') {
    throw new Error(`${result.status}: ${result.problems.join('; ')} (${runDir})`);
  }
  return result.metrics;
}

/**
 * Plays sessions of the kernel in the lab, each in a sandbox of its own, and simulates the others on threads. The log of
 * each session is kept in the folder.
 * @throws LabError where this machine has no lab
 */
export async function startDecisionRuns(options: DecisionRunsOptions): Promise<Workers> {
  const refusal = await labRefusal({ isEmulated: true });
  if (refusal !== undefined) throw refusal;
  const threads = startWorkers(options.lanes);
  const abort = new AbortController();
  const media = new Map<string, Promise<PreparedMedia>>();
  const mediaOf = (scenario: Scenario): Promise<PreparedMedia> => {
    const { signal } = abort;
    const found =
      media.get(scenario.name) ?? prepareTrials(scenario, { signal, onProgress: mediaProgress() });
    media.set(scenario.name, found);
    return found;
  };

  const play = async (job: DecisionsJob): Promise<DecisionsOutcome> => {
    const { record, plan } = runOf(job);
    const runDir = path.join(options.folder, job.key.replaceAll('/', '-'));
    // The rest of an interrupted run of this session.
    rmSync(runDir, { recursive: true, force: true });
    mkdirSync(runDir, { recursive: true });
    writeFileSync(path.join(runDir, 'run.json'), JSON.stringify(record));
    const { scenario } = record;
    const prepared = await mediaOf(job.scenario);
    writeFileSync(path.join(runDir, MEDIA_FILE), JSON.stringify(prepared));
    const trial = { scenario, plan, runDir, prepared };
    await playTrialApart(trial, RESUME, abort.signal, () => undefined);
    return metricsOf(runDir, scenario, plan);
  };

  return {
    run: (request) => {
      const { job } = request as { job: DecisionsJob } & SimulationRequest;
      return job.backend === 'kernel' ? play(job) : threads.run(request);
    },
    end: async () => {
      abort.abort();
      await threads.end();
    },
  };
}
