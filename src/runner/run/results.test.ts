import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LogEvent } from '../../session-log';
import { resultsTable, type Results } from '../../report';
import { syntheticLog } from '../../journal/testing/synthetic-log';
import type { DirectionSpec, Scenario } from '../../scenario';
import { writeResults } from './results';
import { readTrial } from './run-folder';

const assets = { clientJs: 'void 0;', clientCss: 'p{}', nonce: 'bm9uY2Utbm9uY2U=' };
const direction = (rateBps: number): DirectionSpec => ({
  rateBps,
  delayMs: 12,
  queue: { discipline: 'droptail' },
});
const scenario: Pick<Scenario, 'name' | 'title' | 'source' | 'description'> & Partial<Scenario> = {
  name: 'two',
  title: 'Two "paths", <b>unlike</b>',
  source: 'a test',
  description: 'Nothing more.',
  topology: {
    ipVersion: 'ipv4',
    nodes: [
      { id: 'c', role: 'client', congestionControl: 'cubic' },
      { id: 's', role: 'server', congestionControl: 'cubic' },
    ],
    links: [
      { id: 'wlan0', a: 'c', b: 's', ab: direction(5e6), ba: direction(5e6) },
      { id: 'lte0', a: 'c', b: 's', ab: direction(1e6), ba: direction(1e6) },
    ],
    routes: [],
    paths: [
      { id: 'wifi', via: ['wlan0'] },
      { id: 'lte', via: ['lte0'] },
    ],
  },
  media: { kind: 'demo' },
  traffic: [],
  events: [],
  trials: 3,
  seed: 1,
};
const players = ['ours@model', 'dynamic@mptcp'];
const SEGMENT_MS = 2000;
const bitrates = [300, 750, 1500, 3000, 6000].map((kbps) => kbps * 1000);
const media = {
  segmentMs: SEGMENT_MS,
  video: bitrates.map((bitrateBps) => ({
    bitrateBps,
    bytes: Array.from({ length: 60 }, () => (bitrateBps * SEGMENT_MS) / 8000),
  })),
  audio: [],
};

let dir = '';
let results: Results;
const warnings: string[] = [];

function log(player: string, trial: number): LogEvent[] {
  const slow = player === players[1] ? 0.5 : 1;
  return [
    ...syntheticLog({
      seed: trial,
      seconds: 20,
      paths: [
        { id: 'wlan0', rateBps: 4e6 * slow, rttMs: 25 },
        { id: 'lte0', rateBps: 0.9e6, rttMs: 60 },
      ],
    }),
    { type: 'end', monotonicMs: 1_020_100, reason: 'time-up' },
  ];
}

const jsonl = (values: readonly unknown[]): string =>
  values.map((value) => `${JSON.stringify(value)}\n`).join('');

function queueLine(i: number): unknown {
  const side = {
    queueDelayMeanUs: 20_000,
    outPackets: i * 10,
    outBytes: i * 15_000,
    inPackets: i * 10,
    queueDrops: i,
  };
  return {
    monotonicMs: 1_000_000 + i * 1000,
    links: ['wlan0', 'lte0'].map((name) => ({ name, ab: side, ba: side })),
  };
}

function writeTrial(folder: string, player: string, trial: number): void {
  mkdirSync(folder, { recursive: true });
  const record = {
    schemaVersion: 1,
    scenario: 'two',
    player,
    trial,
    seed: trial,
    startedAt: '2026-01-01T00:00:00Z',
    startMonotonicMs: 999_000,
    outcome: 'ok',
    media,
    traffic: [
      {
        id: 'calls',
        kind: 'voip',
        program: 'sipp',
        outcome: 'ok',
        rtp: { lossRatio: 0.01, jitterMs: 3 },
        files: [],
      },
    ],
  };
  writeFileSync(path.join(folder, 'trial.json'), JSON.stringify(record));
  writeFileSync(path.join(folder, 'session.jsonl'), jsonl(log(player, trial)));
  writeFileSync(
    path.join(folder, 'network.jsonl'),
    jsonl(Array.from({ length: 20 }, (_, i) => queueLine(i))),
  );
}

beforeAll(async () => {
  dir = mkdtempSync(path.join(os.tmpdir(), 'mpd-results-'));
  const run = path.join(dir, 'run');
  const plan = [1, 2, 3, 4].flatMap((trial) =>
    players.map((player) => ({
      number: 1,
      player,
      trial,
      seed: trial,
      folder: `trials/${trial}-${player}`,
    })),
  );
  for (const one of plan.slice(0, 6)) writeTrial(path.join(run, one.folder), one.player, one.trial);
  // The last but one was interrupted, the last never began.
  const cut = path.join(run, plan[6]?.folder ?? '');
  mkdirSync(cut, { recursive: true });
  writeFileSync(path.join(cut, 'session.jsonl'), '{"type":"con');
  // One reports that it failed.
  const failed = path.join(run, plan[5]?.folder ?? '', 'trial.json');
  const record = JSON.parse(readFileSync(failed, 'utf8')) as Record<string, unknown>;
  writeFileSync(failed, JSON.stringify({ ...record, outcome: 'failed', error: 'no browser' }));
  writeFileSync(
    path.join(run, 'run.json'),
    JSON.stringify({
      schemaVersion: 1,
      scenario: { ...scenario, players: players.map((id) => ({ id })) },
      startedAt: '2026-01-01T00:00:00Z',
      machine: { kernel: '6.18' },
      plan,
    }),
  );
  results = await writeResults([run], path.join(dir, 'out/new'), {
    assets,
    onWarning: (text) => warnings.push(text),
  });
});

afterAll(() => rmSync(dir, { recursive: true, force: true }));

describe('results of a run', () => {
  test('failed, interrupted and missing trials are counted, reported and left out', () => {
    const [one] = results.scenarios;
    expect(one?.counts).toEqual({ planned: 8, ok: 5, failed: 1, cut: 1, missing: 1 });
    expect(warnings.join('\n')).toMatch(/3-dynamic@mptcp: failed: no browser/);
    expect(warnings.join('\n')).toMatch(/4-ours@model: cut: no trial\.json/);
    const count = one?.statistics.find(
      ({ player, metric }) => player === players[1] && metric === 'linearQoePerSegment',
    )?.count;
    expect(count).toBe(2);
    expect(one?.findings.at(-1)).toContain(
      'ours@model 1 cut off; dynamic@mptcp 1 failed, 1 missing',
    );
  });

  test('a trial whose log is of another schema version does not count', () => {
    const run = path.join(dir, 'newer');
    const one = { number: 1, player: 'ours@model', trial: 1, seed: 1, folder: 'trials/1' };
    writeTrial(path.join(run, one.folder), one.player, 1);
    const file = path.join(run, one.folder, 'session.jsonl');
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replace('"schemaVersion":1', '"schemaVersion":99'));
    const { result } = readTrial(run, scenario as Scenario, one);
    expect(result).toMatchObject({ status: 'cut', metrics: {} });
    expect(result.problems.join()).toContain('session.jsonl has schema version 99');
  });

  test('one record has the numbers of session, paths, links, traffic and optimum', () => {
    const { metrics = {}, optimum } = results.scenarios[0]?.trials[0] ?? {};
    expect(metrics['averageVideoBitrateBps']).toBeGreaterThan(3e5);
    expect(metrics['pathBytes.wifi']).toBeGreaterThan(metrics['pathBytes.lte'] ?? Infinity);
    expect(metrics['queueDelayMeanMs.wlan0.ba']).toBeCloseTo(20);
    expect(metrics['dropRatio.wlan0.ba']).toBeCloseTo(0.1);
    expect(metrics['trafficRtpJitterMs.calls']).toBe(3);
    expect(optimum?.playerQoe).toBe(metrics['linearQoeTotal']);
    expect(metrics['optimumShare']).toBeGreaterThan(0.1);
    expect(metrics['optimumShare']).toBeLessThanOrEqual(1);
    expect(optimum?.allPathsQoe).toBeGreaterThanOrEqual(optimum?.singlePathQoe['wifi'] ?? NaN);
  });

  test('players are compared in pairs, and two pairs prove nothing', () => {
    const one = results.scenarios[0]?.comparisons.find(
      ({ metric }) => metric === 'averageVideoBitrateBps',
    );
    expect(one).toMatchObject({
      player: players[1],
      reference: players[0],
      pairs: 2,
      verdict: 'few',
    });
    expect(one?.meanDifference).toBeLessThan(0);
    expect(results.scenarios[0]?.findings.join(' ')).toContain('no test can distinguish');
    expect(resultsTable(results)).toMatch(/Linear QoE per segment +-?\d/);
  });

  test('the files agree', () => {
    const out = path.join(dir, 'out/new');
    const read = (name: string): string => readFileSync(path.join(out, name), 'utf8');
    const csv = read('results.csv').split('\r\n');
    expect(csv).toHaveLength(1 + 8 + 1);
    expect(csv[0]).toContain(',linearQoePerSegment,');
    expect(read('comparison.csv')).toContain('two,linearQoePerSegment,Mbit/s,dynamic@mptcp,2,');
    expect((JSON.parse(read('results.json')) as Results).scenarios[0]?.players).toEqual(players);
    const html = read('report.html');
    expect(html).toContain('Two &quot;paths&quot;, &lt;b&gt;unlike&lt;/b&gt;');
    expect(/<[^>]*\s(src|href|style)=/.test(html)).toBe(false);
  });

  test('a folder without a run is refused by name; beside others it is only reported', async () => {
    const run = path.join(dir, 'run');
    const out = path.join(dir, 'two');
    await expect(writeResults([dir], out, { assets })).rejects.toThrow(
      /there is no run in it \(run\.json\)/,
    );
    const both = await writeResults([dir, run], out, { assets, reference: 'dynamic@mptcp' });
    expect(both.warnings[0]).toContain('there is no run in it (run.json)');
    expect(both.scenarios[0]?.reference).toBe('dynamic@mptcp');
  });

  test('a reference that no run has is refused', async () => {
    const options = { assets, reference: 'nobody' };
    await expect(
      writeResults([path.join(dir, 'run')], path.join(dir, 'none'), options),
    ).rejects.toThrow(
      /^--reference nobody: no run has this player; choose one of ours@model, dynamic@mptcp$/,
    );
  });

  test('a folder that is named twice, by a link, or copied counts once', async () => {
    const run = path.join(dir, 'run');
    const link = path.join(dir, 'same');
    const copy = path.join(dir, 'copy');
    symlinkSync(run, link);
    cpSync(run, copy, { recursive: true });
    const once = await writeResults([run], path.join(dir, 'once'), { assets });
    const all = [run, `${run}/`, link, copy];
    const thrice = await writeResults(all, path.join(dir, 'thrice'), { assets });
    expect(thrice.warnings[0]).toContain('copy: 6 of its trials are those of ');
    expect(thrice.scenarios[0]?.trials).toHaveLength(once.scenarios[0]?.trials.length ?? NaN);
  });

  test('runs are pooled unless a player of one name has other settings', async () => {
    const runOf = (name: string, ofPlayers: readonly object[]): string => {
      const folder = path.join(dir, name);
      mkdirSync(folder);
      const record = {
        schemaVersion: 1,
        scenario: { ...scenario, players: ofPlayers },
        startedAt: '',
        machine: {},
        plan: [],
      };
      writeFileSync(path.join(folder, 'run.json'), JSON.stringify(record));
      return folder;
    };
    const ours = (bufferTargetMs: number): object => ({ id: 'ours@model', bufferTargetMs });
    const runs = [
      runOf('short', [ours(8000)]),
      runOf('long', [ours(30_000)]),
      runOf('both', [{ id: 'dynamic@mptcp' }, ours(8000)]),
    ];
    const { scenarios } = await writeResults(runs, path.join(dir, 'settings'), { assets });
    expect(scenarios.map((one) => [one.scenario, one.runs.length])).toEqual([
      ['two (short)', 2],
      ['two (long)', 1],
    ]);
  });
});
