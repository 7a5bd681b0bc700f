import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import type { Scenario } from '../../scenario';
import { readRun } from './run-record';
import { runOf } from './lab-sessions';

it('writes a record of one trial that the lab reads', () => {
  const scenario = {
    name: 'pair',
    players: [{ id: 'ours' }, { id: 'bola@wifi' }],
    topology: { paths: [], links: [] },
  } as unknown as Scenario;
  const job = { key: 'k', scenario, player: 'bola@wifi', trial: 3, seed: 4 };
  const folder = mkdtempSync(path.join(tmpdir(), 'mpd-decisions-'));
  writeFileSync(path.join(folder, 'run.json'), JSON.stringify(runOf(job).record));
  const { plan, scenario: played } = readRun(folder);
  rmSync(folder, { recursive: true });
  expect(plan).toMatchObject([{ player: 'bola@wifi', trial: 3, seed: 4 }]);
  expect(played.players.map(({ id }) => id)).toEqual(['bola@wifi']);
});
