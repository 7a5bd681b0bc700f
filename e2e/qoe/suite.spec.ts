/* eslint-disable no-empty-pattern -- Playwright reads the required fixtures from the pattern; these require none */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { readScenario, scenarioFiles } from '../../src/runner/scenarios';
import { planTrials } from '../../src/runner/run';
import { prepareTrials, runTrial } from '../../src/runner/trial';
import { root } from '../support/electron';
import { recordTrial } from './run-record';

/** Time for set-up, player start and tear-down on a busy machine; a trial may stall as long as it plays. */
const SLACK_MS = 180_000;
const attached = ['trial.json', 'session.jsonl', 'network.jsonl', 'browser.log'];

/**
 * One test per trial of the scenarios in QOE_SCENARIOS (files, folders or names of shipped ones, separated by
 * commas), so that Playwright's sharding and reports serve long runs. Without it there are no tests.
 */
const targets = (process.env['QOE_SCENARIOS'] ?? '').split(',').filter(Boolean);
const trials = process.env['QOE_TRIALS'];
const seconds = process.env['QOE_SECONDS'];
const outDir = path.resolve(process.env['QOE_OUT'] ?? path.join(root, 'runs/qoe'));

/** As for `lab run --seconds` and `--trials`. */
const MAX_SECONDS = 7200;
const MAX_TRIALS = 1000;

function positive(name: string, text: string, most: number): number {
  const value = Number(text);
  if (value > 0 && value <= most) return value;
  throw new Error(`${name}=${text}: expected a number above 0, at most ${most}`);
}

const changes = {
  ...(trials === undefined ? {} : { trials: positive('QOE_TRIALS', trials, MAX_TRIALS) }),
  ...(seconds === undefined
    ? {}
    : { durationMs: positive('QOE_SECONDS', seconds, MAX_SECONDS) * 1000 }),
};

for (const file of targets.flatMap((target) => scenarioFiles(target))) {
  const scenario = readScenario(file, changes);
  const runDir = path.join(outDir, scenario.name);
  test.describe(scenario.name, () => {
    // Allows a shard boundary between any two trials; a machine has one worker in any case.
    test.describe.configure({ mode: 'parallel', timeout: 3 * scenario.durationMs + SLACK_MS });

    for (const plan of planTrials(scenario)) {
      test(`trial ${plan.trial} of ${plan.player}`, async ({}, testInfo) => {
        const players = scenario.players.filter(({ id }) => id === plan.player);
        const record = await runTrial({
          scenario,
          plan,
          runDir,
          prepared: await prepareTrials({ ...scenario, players }),
          signal: new AbortController().signal,
        });
        await recordTrial(runDir, scenario, plan);
        for (const name of attached) {
          const logFile = path.join(runDir, plan.folder, name);
          if (existsSync(logFile)) await testInfo.attach(name, { path: logFile });
        }
        expect(record.error).toBeUndefined();
        expect(record.outcome).toBe('ok');
      });
    }
  });
}
