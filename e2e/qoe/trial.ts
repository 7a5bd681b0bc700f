import path from 'node:path';
import type { TestInfo } from '@playwright/test';
import type { PreparedMedia } from '../../src/lab';
import { prepareTrials, runTrial } from '../../src/runner/trial';
import type { LogEvent } from '../../src/session-log';
import type { PlayerSpec, Scenario, TrialRecord } from '../../src/scenario';
import { readLog } from '../../src/transport';

export interface PlayedTrial {
  record: TrialRecord;
  dir: string;
  /** The session log, checked against its schema. */
  log: () => LogEvent[];
}

/** Plays one trial of a scenario into the test's own folder. */
export async function playTrial(
  testInfo: TestInfo,
  scenario: Scenario,
  player: PlayerSpec,
  options: {
    signal?: AbortSignal;
    onEvent?: (event: LogEvent) => void;
    /** Default: made for this scenario. */
    media?: PreparedMedia;
    /** Zero of the scenario's events; default `load`. */
    eventsFrom?: 'load' | 'startup';
  } = {},
): Promise<PlayedTrial> {
  const folder = `trials/1-${player.id}`;
  const dir = path.join(testInfo.outputDir, folder);
  const whole = { ...scenario, players: [player] };
  const record = await runTrial({
    scenario: whole,
    plan: { number: 1, player: player.id, trial: 1, seed: 1, folder },
    runDir: testInfo.outputDir,
    prepared: options.media ?? (await prepareTrials(whole)),
    signal: options.signal ?? new AbortController().signal,
    ...(options.onEvent === undefined ? {} : { onEvent: options.onEvent }),
    ...(options.eventsFrom === undefined ? {} : { eventsFrom: options.eventsFrom }),
  });
  const log = (): LogEvent[] => {
    const { events, errors } = readLog(path.join(dir, record.sessionFile));
    if (errors.length > 0) throw new Error(JSON.stringify(errors));
    return events;
  };
  return { record, dir, log };
}
