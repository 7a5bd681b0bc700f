/* eslint-disable no-empty-pattern -- Playwright reads the required fixtures from the pattern; these require none */
/** The fault campaign's sessions: real player, real browser, real kernel; faults come from the lab. */
import path from 'node:path';
import { expect, test, type TestInfo } from '@playwright/test';
import { prepareTrials } from '../../src/runner/trial';
import { readScenario } from '../../src/runner/scenarios';
import type { LogEvent } from '../../src/session-log';
import { root } from '../support/electron';
import { nightly } from '../support/nightly';
import { playTrial, type PlayedTrial } from '../qoe/trial';
import { expectNothingLeft, stateOfMachine } from './left-behind';
import { outcomeIn } from './outcome';
import { sessions, type Session, type SessionFault } from './sessions';

/** A busy machine stops the picture for a moment without any fault; positions are reported four times a second. */
const BUSY_SECONDS = 3;

/** Longest playing time of a session. */
const MAX_MS = 61_000;
const SESSION_TIMEOUT_MS = 240_000;

interface PlayedSession {
  trial: PlayedTrial;
  log: readonly LogEvent[];
  before: unknown;
}

async function play(session: Session, info: TestInfo): Promise<PlayedSession> {
  const file = path.join(root, 'scenarios/faults', `${session.scenario}.yaml`);
  const options = session.player === undefined ? {} : { players: [session.player] };
  const scenario = readScenario(file, options);
  const [player] = scenario.players;
  if (player === undefined) throw new Error(`${file} has no player`);
  const before = stateOfMachine();
  // One length for all sessions, so that one set of media serves them.
  const media = await prepareTrials({ ...scenario, durationMs: MAX_MS });
  const trial = await playTrial(info, scenario, player, { media, eventsFrom: 'startup' });
  return { trial, log: trial.log(), before };
}

function expectSurvived(fault: SessionFault, { log }: PlayedSession): void {
  const zeroMs = log.find(({ type }) => type === 'startup')?.monotonicMs ?? Infinity;
  const window = {
    fromMs: zeroMs + fault.fromSeconds * 1000,
    // A session plays for a fixed time from its first frame on.
    untilMs: Math.min(zeroMs + fault.untilSeconds * 1000, log.at(-1)?.monotonicMs ?? Infinity),
  };
  const outcome = outcomeIn(log, window);
  const seen = `${fault.name}: ${JSON.stringify(outcome)}`;
  expect(outcome.fatal, seen).toEqual([]);
  // A machine that stops the page stops the picture too. The page may count for as much as the bound itself.
  const lateMs = Math.min(outcome.lateMs, BUSY_SECONDS * 1000);
  const acceptedMs = (BUSY_SECONDS + (fault.maxStallSeconds ?? 0)) * 1000;
  expect(outcome.waitedMs - lateMs, seen).toBeLessThanOrEqual(acceptedMs);
  expect(fault.happened?.(outcome) ?? true, `${seen}: it took effect`).toBe(true);
}

for (const session of sessions) {
  const { scenario, player, profile, faults, error } = session;
  const title = player === undefined ? scenario : `${scenario}, ${player}`;
  test.describe(title, profile === 'nightly' ? nightly : {}, () => {
    let played: PlayedSession;

    test.beforeAll(async ({}, info) => {
      test.setTimeout(SESSION_TIMEOUT_MS);
      played = await play(session, info);
    });

    test('the session ends as expected, its log is complete, and nothing is left', async () => {
      const { record } = played.trial;
      if (error === undefined) {
        expect(record).toMatchObject({ outcome: 'ok' });
        expect(played.log.at(-1)).toMatchObject({ type: 'end', reason: 'time-up' });
      } else {
        expect(record.error).toMatch(error);
        expect(played.log.at(-1)).toMatchObject({ type: 'end' });
      }
      await expectNothingLeft(played.before);
    });

    // The first test shows the error.
    for (const fault of error === undefined ? faults : []) {
      test(fault.name, () => expectSurvived(fault, played));
    }
  });
}
