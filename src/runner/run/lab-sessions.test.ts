import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Scenario } from '../../scenario';
import { readRun } from './run-record';
import { LabSessions, runOf, type LabSession, type SessionLab } from './lab-sessions';

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

let dir = '';
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'mpd-sessions-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const session: LabSession = {
  ...{ key: 'kernel/pair/ours/1', player: 'ours', trial: 1, seed: 1 },
  scenario: {
    ...{ name: 'pair', players: [{ id: 'ours' }], durationMs: 1000 },
    topology: { paths: [], links: [] },
  } as unknown as Scenario,
};

const media = { sizes: { segmentMs: 2000, video: [], audio: [] } } as never;
/** A lab whose sessions leave no record. */
function lab(parts: Partial<SessionLab> = {}): SessionLab {
  return {
    prepare: () => Promise.resolve(media),
    playApart: () => Promise.resolve(undefined),
    ...parts,
  };
}

it('reports a session without a record, and keeps its folder', async () => {
  const sessions = new LabSessions(dir, lab());
  await expect(sessions.play(session)).rejects.toThrow(/^missing: not there/);
  expect(existsSync(path.join(dir, 'kernel-pair-ours-1', 'run.json'))).toBe(true);
});

it('prepares media once, and again after a failure', async () => {
  let prepared = 0;
  const prepare = (): Promise<never> => {
    prepared += 1;
    return prepared === 1 ? Promise.reject(new Error('no ffmpeg')) : Promise.resolve(media);
  };
  const sessions = new LabSessions(dir, lab({ prepare }));
  await expect(sessions.play(session)).rejects.toThrow('no ffmpeg');
  await expect(sessions.play(session)).rejects.toThrow(/missing/);
  await expect(sessions.play(session)).rejects.toThrow(/missing/);
  expect(prepared).toBe(2);
});

it('waits for the running session, and starts none after its end', async () => {
  let finish = (): void => undefined;
  let started = 0;
  const playApart = (): Promise<undefined> => {
    started += 1;
    return new Promise((resolve) => {
      finish = () => resolve(undefined);
    });
  };
  const sessions = new LabSessions(dir, lab({ playApart }));
  const running = sessions.play(session).catch(() => 'ended');
  await expect.poll(() => started).toBe(1);
  let isOver = false;
  const over = sessions.end().then(() => {
    isOver = true;
  });
  await expect(sessions.play({ ...session, key: 'later' })).rejects.toThrow(/abort/i);
  expect([started, isOver]).toEqual([1, false]);
  finish();
  await over;
  expect(await running).toBe('ended');
});

it('prepares other media of the same name apart', async () => {
  const rungs: unknown[] = [];
  const prepare = (scenario: Scenario): Promise<never> => {
    rungs.push((scenario.media as { videoBps: unknown }).videoBps);
    return Promise.resolve(media);
  };
  const sessions = new LabSessions(dir, lab({ prepare }));
  for (const videoBps of [[1e6, 5e6], [5e6], [5e6]]) {
    const changed = { ...session.scenario, media: { kind: 'ladder', videoBps } } as unknown;
    await sessions.play({ ...session, scenario: changed as Scenario }).catch(() => undefined);
  }
  expect(rungs).toEqual([[1e6, 5e6], [5e6]]);
});
