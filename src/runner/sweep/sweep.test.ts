import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { SweepJob } from '../../experiments';
import type { Workers } from '../jobs/worker-pool';
import { capture, type Captured } from '../testing/captured';
import { planJobs, readSweep } from './read-sweep';
import { simulateSweepJob } from '../jobs/sweep-job';
import { runSweep, type SweepOptions } from './sweep';

let dir = '';
let written: Captured;
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'sweep-test-'));
  written = capture();
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(dir, { recursive: true, force: true });
  process.exitCode = undefined;
});

const folder = (): string => path.join(dir, 'run');

/** Simulates nothing: returns a figure that identifies the job. */
function fakeWorkers(onRun: (job: SweepJob) => void): Workers {
  return {
    run: async (request) => {
      const { job } = request as { job: SweepJob };
      await Promise.resolve();
      onRun(job);
      return { linearQoePerSegment: job.point, stalls: null };
    },
    end: () => Promise.resolve(),
  };
}

const sweep = (
  options: SweepOptions,
  targets: string[] = [],
  onRun: (job: SweepJob) => void = () => undefined,
): Promise<void> => runSweep(targets, options, '1.2.3', () => fakeWorkers(onRun));

const rows = async (file: string): Promise<Record<string, unknown>[]> =>
  parquetReadObjects({ file: await asyncBufferFromFile(file) });

const RATES = 'topology.paths.lte.rate=1mbit,2mbit';

describe('experiment sweep', () => {
  it('writes a row a session and a summary', async () => {
    await sweep({ out: folder(), set: [RATES], players: ['ours', 'bola@each-path'], trials: 2 });
    const read = await rows(path.join(folder(), 'sweep.parquet'));
    expect(read).toHaveLength(12);
    expect(read[0]).toMatchObject({
      scenario: 'decisions/two-unequal',
      player: 'multipath@ranges',
      seed: 1n,
      'topology.paths.lte.rate': 1e6,
      linearQoePerSegment: 0,
      stalls: null,
      simulated: true,
    });
    expect(written.stdout).toContain('| bola@lte | 4 |');
    expect(written.stdout).toContain('Simulated');
  });

  it('resumes after an interruption, and simulates no session twice', async () => {
    const done: string[] = [];
    await sweep({ out: folder(), set: [RATES], jobs: 1 }, [], ({ key }) => {
      done.push(key);
      if (done.length === 3) process.emit('SIGINT', 'SIGINT');
    });
    expect(process.exitCode).toBe(130);
    await sweep({ resume: folder() }, [], ({ key }) => done.push(key));
    expect(new Set(done).size).toBe(done.length);
    expect(await rows(path.join(folder(), 'sweep.parquet'))).toHaveLength(done.length);
  });

  it('writes separate files for shards that together form the whole', async () => {
    const common = { set: [RATES], sample: 5, players: ['ours', 'bba'] };
    for (const index of [1, 2])
      await sweep({ ...common, out: folder() + String(index), shard: { index, of: 2 } });
    await sweep({ ...common, out: folder() });
    const parts = await Promise.all(
      [1, 2].map((i) => rows(path.join(folder() + String(i), `sweep-${i}-of-2.parquet`))),
    );
    const bySession = (all: Record<string, unknown>[]): Record<string, unknown>[] =>
      [...all].sort((a, b) => String(a['session']).localeCompare(String(b['session'])));
    const whole = await rows(path.join(folder(), 'sweep.parquet'));
    expect(bySession(parts.flat())).toEqual(bySession(whole));
  });

  it('succeeds for a part without sessions, and fails if all sessions of a part failed', async () => {
    const one = { players: ['bola@wifi'], trials: 1, out: folder() };
    await sweep({ ...one, shard: { index: 2, of: 2 } });
    await sweep({ resume: folder() });
    expect(written.stderr).toContain('no sessions in this part');
    expect(process.exitCode).toBeUndefined();
    const failing = sweep({ ...one, out: `${folder()}1`, shard: { index: 1, of: 2 } }, [], () => {
      throw new Error('no memory');
    });
    await expect(failing).rejects.toThrow('no session has an outcome');
  });

  it.each([
    [{ set: ['topology.paths.lte.rate=fast,1mbit'] }, /--set topology\.paths\.lte\.rate=fast/],
    [{ set: ['topology.pathz.lte.rate=1mbit'] }, /pathz: there is no such field/],
    [{ set: ['rate'] }, /KEY=VALUES/],
    [{ set: ['server.mptcp=true,false'] }, /server\.mptcp is false/],
    [{ set: ['trials=2'] }, /--set trials=2: a sweep has its own option --trials/],
    [{ schedulers: ['best'] }, /no scheduler best; one of: mainline, .*blest/],
    [{ congestion: ['best'] }, /no congestion control best; one of: .*cubic/],
    [{ players: ['shaka@mptcp'] }, /player shaka@mptcp/],
    [{ resume: 'x', set: [RATES], seed: 3 }, /leave --set, --seed, --out out/],
  ])('refuses %j before anything runs', async (options, why) => {
    const ran = vi.fn();
    await expect(sweep({ out: folder(), ...options }, [], ran)).rejects.toThrow(why);
    expect(ran).not.toHaveBeenCalled();
  });

  it.each([
    ['faults/strip-join', [], /strip-join.*no middleboxes: leave out middlebox of link lte/],
    [
      'decisions/two-unequal',
      ['server.mptcp=false'],
      /server\.mptcp is false.*player multipath@model/,
    ],
    ['faults/server', [], /faults\/server.*the simulator has no server-.*leave out the event at/],
    ['decisions/two-unequal', ['server.congestionControl=scalable'], /scalable \(node server\)/],
    ['tls-http2', [], /tls-http2.*no http2: set server\.http=http1/],
  ])('refuses %s with %j, which the simulator does not have', (scenario, set, why) => {
    const wishes = { set, players: ['ours', 'ours@model'] };
    expect(() => planJobs(readSweep([scenario], wishes))).toThrow(why);
  });

  it.each([
    [{ set: ['duration=10s,60s'], seconds: 30 }, /sets duration and has --seconds too/],
    [
      { set: ['server.congestionControl=cubic,reno'], congestion: ['bbr'] },
      /sets server\.congestionControl and has --congestion too/,
    ],
  ])('refuses %j, of which one would have no effect', (wishes, why) => {
    expect(() => readSweep([], wishes)).toThrow(why);
  });

  it('plays a swept duration, even with --quick', () => {
    const quick = readSweep([], { set: ['duration=10s,60s'], quick: true });
    expect(quick.durationMs).toBeUndefined();
    expect(readSweep([], { quick: true }).durationMs).toBe(20_000);
  });

  it('does not resume with a changed scenario', async () => {
    const file = path.join(dir, 'mine.yaml');
    cpSync('scenarios/decisions/two-unequal.yaml', file);
    await sweep({ out: folder() }, [file]);
    writeFileSync(file, readFileSync(file, 'utf8').replace('rate: 4mbit', 'rate: 5mbit'));
    await expect(sweep({ resume: folder() })).rejects.toThrow(/has changed since/);
  });

  it('does not resume with a changed trace, even if only --set names it', async () => {
    const file = path.join(dir, 'mine.yaml');
    cpSync('scenarios/decisions/two-unequal.yaml', file);
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replace('rate: 4mbit', 'trace: a.txt'));
    writeFileSync(path.join(dir, 'a.txt'), '0 4000\n10 5000\n');
    writeFileSync(path.join(dir, 'b.txt'), '0 4000\n10 3000\n');
    await sweep({ out: folder(), set: ['topology.paths.wifi.trace=a.txt,b.txt'] }, [file]);
    await sweep({ resume: folder() });
    writeFileSync(path.join(dir, 'b.txt'), '0 4000\n10 2000\n');
    await expect(sweep({ resume: folder() })).rejects.toThrow(/has changed since/);
  });

  it('names the command that resumes a folder of another experiment', async () => {
    await sweep({ out: folder(), set: [RATES] });
    const record = path.join(folder(), 'experiment.json');
    const text = readFileSync(record, 'utf8');
    writeFileSync(record, text.replace('"experiment": "sweep"', '"experiment": "aqm-kernel"'));
    await expect(sweep({ resume: folder() })).rejects.toThrow(
      /`multipath-dash experiment aqm --backend kernel --resume /,
    );
  });
});

describe('sweep files', () => {
  it.each(readdirSync('scenarios/sweeps').filter((name) => name.endsWith('.yaml')))(
    '%s that ships can be planned',
    (name) => {
      const jobs = planJobs(readSweep([path.join('scenarios/sweeps', name)], {}));
      expect(jobs.length).toBeGreaterThan(100);
    },
  );

  it('are found by name, and the command line overrides them', () => {
    const read = readSweep(['second-path'], {
      set: ['topology.paths.lte.rate=1mbit', 'topology.paths.wifi.delay=5ms'],
      trials: 7,
    });
    expect(read.trials).toBe(7);
    expect(read.set.map((one) => `${one.path}=${one.text}`)).toEqual([
      'topology.paths.lte.delay=20ms,60ms,150ms',
      'topology.paths.lte.loss=0%,1%',
      'topology.paths.lte.rate=1mbit',
      'topology.paths.wifi.delay=5ms',
    ]);
  });

  it.each([
    ['scenario: a\nplayer: [ours]\n', /player/],
    ['scenario: a\nset: { rate: { from: 1 } }\n', /set\.rate: expected FROM\.\.TO/],
    ['scenario: a\ntrials: 0\n', /trials/],
    ['set: {}\n', /scenario/],
    ['scenario: [\n', /cannot be read/],
  ])('with %j are refused', (text, why) => {
    const file = path.join(dir, 'bad.sweep.yaml');
    writeFileSync(file, text);
    expect(() => readSweep([file], {})).toThrow(why);
  });
});

it('simulates a session as the lab measures it, the same each time', () => {
  const [job] = planJobs(readSweep([], { players: ['throughput@wifi'], seconds: 8 }));
  if (job === undefined) throw new Error('no job');
  const metrics = simulateSweepJob(job);
  expect(metrics['stalls']).toBe(0);
  expect(metrics['playedMs']).toBeGreaterThan(7000);
  expect(metrics['optimumShare']).toBeGreaterThan(0.1);
  expect(metrics['optimumShare']).toBeLessThanOrEqual(1);
  expect(metrics['pathShare.wifi']).toBe(1);
  expect(simulateSweepJob(job)).toEqual(metrics);
});

/** Share of the bytes over the slow path of an MPTCP+ scenario, of 12 s. */
function slowShare(set: string[], congestion: string[] = []): number {
  const wishes = { set, congestion, players: ['throughput@mptcp'], seconds: 12 };
  const [job] = planJobs(readSweep(['mptcp-plus/ratio-0.2-mptcp-plus'], wishes));
  if (job === undefined) throw new Error('no job');
  return simulateSweepJob(job)['pathShare.slow'] ?? Number.NaN;
}

it('simulates the path use decision and the control that a scenario names for the kernel', () => {
  const decided = slowShare(['server.pathUse.n=10', 'server.pathUse.rho=90%']);
  const undecided = slowShare(['server.pathUse.n=10', 'server.pathUse.rho=0%']);
  expect(undecided).toBeGreaterThan(0.05);
  expect(decided).toBeLessThan(undecided / 2);
  expect(slowShare([], ['mcc'])).toBe(slowShare([]));
  expect(slowShare([], ['mpd_lia'])).toBe(slowShare([], ['lia']));
});
