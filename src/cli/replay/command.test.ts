import { Command } from 'commander';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { BrainJournal } from '../../journal';
import { createBrain, stepBrain, type BrainConfig, type BrainObservation } from '../../brain';
import { openCompactLog, readLog } from '../../transport';
import { addReplayCommand, differenceLines, replayFile } from './command';
import { configEvent } from '../../session-log/testing/events';

const config: BrainConfig = { policy: 'all', abr: 'multipath' };
let folder: string;
beforeEach(() => (folder = mkdtempSync(path.join(os.tmpdir(), 'mpd-replay-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function writeSession(change: (text: string) => string = (text) => text): void {
  const journal = new BrainJournal();
  journal.config(config);
  let state = createBrain(config);
  const lines: string[] = [JSON.stringify(configEvent())];
  for (let step = 0; step < 5; step += 1) {
    const observation: BrainObservation = {
      monotonicMs: 100 * step,
      trigger: 'tick',
      ladders: [],
      currentRung: {},
      bufferMs: {},
      bufferTargetMs: 0,
      playing: false,
      requests: [],
      segmentDurationMs: {},
      control: 'none',
    };
    const result = stepBrain(state, { type: 'decide', observation });
    ({ state } = result);
    if (result.decision) journal.decided(observation, result.decision);
    lines.push(JSON.stringify({ type: 'brain', monotonicMs: 1, entries: journal.take() }));
  }
  writeFileSync(path.join(folder, 'session.jsonl'), change(`${lines.join('\n')}\n`));
}

test('replays the log in a run’s folder', () => {
  writeSession();
  expect(replayFile(folder)).toMatchObject({ decisions: 5 });
  expect(replayFile(folder).difference).toBeUndefined();
});

test('replays a compact log', async () => {
  writeSession();
  const { events } = readLog(path.join(folder, 'session.jsonl'));
  rmSync(path.join(folder, 'session.jsonl'));
  const log = openCompactLog(path.join(folder, 'session.jsonl.gz'));
  for (const event of events) log.write(event);
  expect(replayFile(folder)).toMatchObject({ decisions: 5 });
  await log.close();
  expect(replayFile(folder)).toMatchObject({ decisions: 5 });
});

test('shows the first different decision', () => {
  writeSession((text) => text.replace('"confidence":0', '"confidence":0.5'));
  const { difference } = replayFile(folder);
  expect(difference && differenceLines(difference).join('\n')).toMatch(
    /decision 1 .*forecast\.confidence\n {2}recorded {2}0\.5\n {2}replayed {2}0$/,
  );
});

test('refuses an unusable log, with the reason', () => {
  expect(() => replayFile(path.join(folder, 'nothing'))).toThrow('does not exist');
  expect(() => replayFile(folder)).toThrow('no session.jsonl');
  writeSession((text) => text.replace('"k":"config"', '"k":"conf"'));
  expect(() => replayFile(folder)).toThrow(/session\.jsonl:2/);
  writeFileSync(path.join(folder, 'session.jsonl'), '');
  expect(() => replayFile(folder)).toThrow('no decisions');
});

test('the log is not replaced by the result', async () => {
  writeSession();
  const file = path.join(folder, 'session.jsonl');
  const before = readFileSync(file, 'utf8');
  const program = new Command().exitOverride();
  addReplayCommand(program);
  const replay = program.parseAsync(['replay', file, '--json', file], { from: 'user' });
  await expect(replay).rejects.toThrow('this is the log itself');
  expect(readFileSync(file, 'utf8')).toBe(before);
});
