import path from 'node:path';
import { labRefusal } from '../../lab';
import type { LogEvent } from '../../session-log';
import { readLog } from '../../transport';
import type { SimulationRequest, Workers } from '../jobs';
import { holdControls } from '../kernel-jobs';
import { LabSessions } from '../run';

/** A session of the lab, as {@link LabSessions} plays it. */
type Session = Parameters<LabSessions['play']>[0];

export interface LogSessionsOptions {
  /** Folder of the sessions' logs. */
  folder: string;
  /** Measures a session from the events of its log. */
  outcomeOf: (events: readonly LogEvent[]) => unknown;
  /** Coupled congestion controls of the servers, loaded for the whole run. */
  controls?: readonly string[];
}

/** The parts that tests replace. */
export interface LogSessionsParts {
  refusal: typeof labRefusal;
  hold: typeof holdControls;
  sessions: (folder: string) => Pick<LabSessions, 'play' | 'end'>;
}

const PARTS: LogSessionsParts = {
  refusal: labRefusal,
  hold: holdControls,
  sessions: (folder) => new LabSessions(folder),
};

/**
 * Plays an experiment's jobs as sessions of the lab, each in a sandbox of its own, and measures them from their logs.
 * @returns runs jobs; `end` waits for the running ones and unloads the controls
 * @throws LabError where this machine has no lab; UserError where it cannot load the controls
 */
export async function startLogSessions(
  { folder, outcomeOf, controls = [] }: LogSessionsOptions,
  { refusal, hold, sessions: start }: LogSessionsParts = PARTS,
): Promise<Workers> {
  const refused = await refusal({ isEmulated: true });
  if (refused !== undefined) throw refused;
  const release = controls.length > 0 ? await hold(controls) : undefined;
  const sessions = start(folder);
  const end = async (): Promise<void> => {
    await sessions.end();
    await release?.();
  };
  let ended: Promise<void> | undefined;
  return {
    run: async (request) => {
      const { job } = request as { job: Session } & SimulationRequest;
      const played = await sessions.play(job);
      return outcomeOf(readLog(path.join(played.folder, 'session.jsonl')).events);
    },
    end: () => (ended ??= end()),
  };
}
