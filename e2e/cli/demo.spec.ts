/** The real command, started and ended like a user does. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect } from '@playwright/test';
import { readLog } from '../../src/transport';
import { markedProcesses } from '../support/own-processes';
import { nightly } from '../support/nightly';
import { logLines } from './command';
import { test } from './fixtures';

const profiles = (tmpDir: string): string[] =>
  readdirSync(tmpDir).filter((name) => name.startsWith('multipath-dash-profile-'));

/** True if the log shows that the playhead moves. */
const isPlaying = (logFile: string): boolean =>
  logLines(logFile).some((event) => event.type === 'player' && event.positionMs > 1000);

/** The carriages that the log reports, in order. */
const carriages = (logFile: string): string[] =>
  logLines(logFile).flatMap((event) => (event.type === 'carriage' ? event.report.carriage : []));

const playingTimeout = { timeout: 60_000 };

test('plays, sums up for machines, and makes a report', async ({ run, mark }, testInfo) => {
  const json = testInfo.outputPath('demo.json');
  const out = testInfo.outputPath('run');
  const demo = run('demo', '--seconds', '8', '--json', json, '--out', out);
  expect(await demo.exited, demo.stderr()).toBe(0);

  const summary = JSON.parse(readFileSync(json, 'utf8')) as Record<string, unknown>;
  expect(summary).toMatchObject({
    paths: [
      { id: 'path1', bytes: expect.any(Number), meanRateBps: expect.any(Number) },
      { id: 'path2', bytes: expect.any(Number), meanRateBps: expect.any(Number) },
    ],
    switches: expect.any(Number),
    stalls: { count: expect.any(Number), totalMs: expect.any(Number) },
    startupDelayMs: expect.any(Number),
    bufferMs: { mean: expect.any(Number), min: expect.any(Number) },
    droppedFrames: expect.any(Number),
    logFile: `${out}/session.jsonl`,
  });
  for (const { bytes } of summary['paths'] as { bytes: number }[]) {
    expect(bytes).toBeGreaterThan(50_000);
  }
  // Rungs from 0.3 to 6 Mbit/s; stalls on a busy machine shorten the playing time.
  expect(summary['averageBitrateBps']).toBeGreaterThan(290_000);
  expect(summary['averageBitrateBps']).toBeLessThan(7e6);
  expect(summary['playedMs']).toBeGreaterThan(2000);
  expect(summary['playedMs']).toBeLessThan(10_000);

  expect(carriages(`${out}/session.jsonl`)).toContain('ranges');
  expect(carriages(`${out}/session.jsonl`)).not.toContain('mptcp');
  expect(demo.stderr()).toMatch(/path1 +active +\d+\.\d\d Mbit\/s +rcv_rtt/);
  expect(demo.stderr()).toContain(`${out}/session.jsonl`);
  const log = logLines(`${out}/session.jsonl`);
  expect(log[0]).toMatchObject({ type: 'config', settings: { command: 'demo', emulated: true } });
  expect(log.at(-1)).toMatchObject({ type: 'end', reason: 'time-up' });
  expect(markedProcesses(mark)).toEqual([]);

  const folder = testInfo.outputPath('report');
  const report = run('report', out, '--out', folder, '--json');
  expect(await report.exited, report.stderr()).toBe(0);
  const { runs } = JSON.parse(report.stdout()) as { runs: { playedMs: number }[] };
  expect(runs[0]?.playedMs).toBeCloseTo(summary['playedMs'] as number, 0);
  expect(readFileSync(`${folder}/report.html`, 'utf8')).toContain('<!doctype html>');
  expect(existsSync(`${folder}/summary.json`)).toBe(true);
});

test('plays over MPTCP where asked, and shows its subflows', async ({ run }, testInfo) => {
  const out = testInfo.outputPath('run');
  const demo = run('demo', '--seconds', '6', '--carriage', 'mptcp', '--out', out);
  expect(await demo.exited, demo.stderr()).toBe(0);
  expect(demo.stderr()).toMatch(/path1 +(?:active|backup) +\d+\.\d\d Mbit\/s +rcv_rtt/);
  expect(demo.stderr()).toMatch(/path2 +(?:active|backup) +\d+\.\d\d Mbit\/s +rcv_rtt/);
  const connections = logLines(`${out}/session.jsonl`).flatMap((event) =>
    event.type === 'samples' ? event.batch.connections : [],
  );
  const subflows = connections
    .filter(({ kind }) => kind === 'mptcp')
    .flatMap((one) => one.subflows);
  expect(new Set(subflows.map(({ pathId }) => pathId))).toEqual(new Set(['path1', 'path2']));
  expect(carriages(`${out}/session.jsonl`)).toEqual([]);
});

test('ends in order on SIGINT in mid-play', async ({ run, mark, tmpDir }, testInfo) => {
  const out = testInfo.outputPath('run');
  const demo = run('demo', '--seconds', '60', '--out', out);
  await expect.poll(() => isPlaying(`${out}/session.jsonl`), playingTimeout).toBe(true);
  demo.child.kill('SIGINT');
  expect(await demo.exited, demo.stderr()).toBe(130);
  const log = logLines(`${out}/session.jsonl`);
  expect(log[0]?.type).toBe('config');
  expect(log.filter((event) => event.type === 'end')).toEqual([log.at(-1)]);
  expect(log.at(-1)).toMatchObject({ reason: 'interrupted' });
  expect(readFileSync(`${out}/session.jsonl`, 'utf8').endsWith('\n')).toBe(true);
  expect(demo.stderr()).toContain('Summary');
  expect(markedProcesses(mark)).toEqual([]);
  expect(profiles(tmpDir)).toEqual([]);
});

test('ends at once on SIGINT before playback', nightly, async ({ run, mark }) => {
  const demo = run('demo', '--out', test.info().outputPath('run'));
  await expect.poll(() => demo.stderr(), playingTimeout).toContain('[lab] path1');
  demo.child.kill('SIGINT');
  expect(await demo.exited, demo.stderr()).toBe(130);
  expect(markedProcesses(mark)).toEqual([]);
});

test('leaves nothing after SIGKILL', async ({ run, mark, tmpDir }, testInfo) => {
  const out = testInfo.outputPath('run');
  const demo = run('demo', '--seconds', '60', '--out', out);
  await expect.poll(() => isPlaying(`${out}/session.jsonl`), playingTimeout).toBe(true);
  expect(markedProcesses(mark).length).toBeGreaterThan(5);
  demo.child.kill('SIGKILL');
  expect(await demo.exited).toBe(137);
  // The kernel kills the sandbox's first process, and with it all the others.
  await expect.poll(() => markedProcesses(mark), { timeout: 10_000 }).toEqual([]);
  expect(profiles(tmpDir)).toEqual([]);
  // Each line is whole; of the last one the writer may have written a piece.
  const { events, errors } = readLog(`${out}/session.jsonl`);
  expect([errors, events[0]?.type]).toEqual([[], 'config']);

  const report = run('report', out);
  expect(await report.exited, report.stderr()).toBe(0);
  expect(report.stdout()).toMatch(/played +\d/);
});

test('names the problem of a stream, and ends', nightly, async ({ run, mark }, testInfo) => {
  const out = testInfo.outputPath('run');
  const play = run('play', 'http://127.0.0.1:9/none.mpd', '--seconds', '5', '--out', out);
  expect(await play.exited).toBe(1);
  expect(play.stderr()).toContain('http://127.0.0.1:9/none.mpd');
  const { events } = readLog(`${out}/session.jsonl.gz`);
  expect(events.at(-1)).toMatchObject({ type: 'end', reason: 'failed' });
  // Outside a sandbox the browser's helpers may take a moment to follow it.
  await expect.poll(() => markedProcesses(mark), { timeout: 10_000 }).toEqual([]);
});
