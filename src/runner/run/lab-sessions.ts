import { setMaxListeners } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { PreparedMedia } from '../../lab';
import type { RunRecord, Scenario, TrialPlan } from '../../scenario';
import { mediaProgress, warn } from '../host';
import { prepareTrials } from '../trial';
import { checkRoom } from './resume';
import { readTrial } from './run-folder';
import { MEDIA_FILE, playTrialApart } from './run-trial';

/** A session that the lab plays, as a job of an experiment. */
export interface LabSession {
  /** Unique; it names the folder of the session. */
  key: string;
  scenario: Scenario;
  /** One of the scenario's players. */
  player: string;
  /** Number of the trial, from 1. */
  trial: number;
  seed: number;
}

/** A session that ran to its end. */
export interface PlayedSession {
  /** Its log, its network's log and its record. */
  folder: string;
  /** Metrics by name; null if the session has no value. */
  metrics: Record<string, number | null>;
}

/** Options that errors of a full disk name. */
const RESUME = '--kept, or --resume and the folder of the run';

/** The lab's part, as far as tests replace it. */
export interface SessionLab {
  prepare: typeof prepareTrials;
  playApart: typeof playTrialApart;
}

/** One session as a run of one trial: the lab plays nothing else. */
export function runOf({ scenario, player, trial, seed }: LabSession): {
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

/** Plays sessions, each in a sandbox of its own. Their logs are kept below a folder. */
export class LabSessions {
  readonly #folder: string;
  readonly #lab: SessionLab;
  readonly #abort = new AbortController();
  readonly #media = new Map<string, Promise<PreparedMedia>>();
  readonly #running = new Set<Promise<unknown>>();

  constructor(
    folder: string,
    lab: SessionLab = { prepare: prepareTrials, playApart: playTrialApart },
  ) {
    this.#folder = folder;
    this.#lab = lab;
    // Every running sandbox listens for signals.
    setMaxListeners(0, process);
  }

  /** @throws Error if the session did not run to its end: its job is played again in the next run */
  play(session: LabSession): Promise<PlayedSession> {
    const run = this.#play(session);
    this.#running.add(run);
    return run.finally(() => this.#running.delete(run));
  }

  /** Starts no further one, and waits for the running ones. They end in order at the signal that interrupts this program. */
  async end(): Promise<void> {
    this.#abort.abort();
    await Promise.allSettled(this.#running);
  }

  async #play(session: LabSession): Promise<PlayedSession> {
    const { record, plan } = runOf(session);
    const { scenario } = record;
    const runDir = path.join(this.#folder, session.key.replaceAll(/[/ ]/g, '-'));
    // The rest of an interrupted run of this session.
    rmSync(runDir, { recursive: true, force: true });
    mkdirSync(runDir, { recursive: true });
    checkRoom(runDir, RESUME);
    writeFileSync(path.join(runDir, 'run.json'), JSON.stringify(record));
    const prepared = await this.#mediaOf(session.scenario);
    this.#abort.signal.throwIfAborted();
    writeFileSync(path.join(runDir, MEDIA_FILE), JSON.stringify(prepared));
    const trial = { scenario, plan, runDir, prepared };
    await this.#lab.playApart(trial, RESUME, this.#abort.signal, () => undefined);
    const { status, problems, metrics } = readTrial(runDir, scenario, plan).result;
    if (status !== 'ok') throw new Error(`${status}: ${problems.join('; ')} (${runDir})`);
    for (const problem of problems) warn(`${session.key}: ${problem}`);
    return { folder: path.join(runDir, plan.folder), metrics };
  }

  /** A change of an experiment may have other media under the same name. */
  #mediaOf(scenario: Scenario): Promise<PreparedMedia> {
    const { signal } = this.#abort;
    const key = JSON.stringify([scenario.name, scenario.media, scenario.durationMs]);
    const known = this.#media.get(key);
    if (known !== undefined) return known;
    const prepared = this.#lab.prepare(scenario, { signal, onProgress: mediaProgress() });
    this.#media.set(key, prepared);
    // The next session tries again.
    void prepared.catch(() => this.#media.delete(key));
    return prepared;
  }
}
