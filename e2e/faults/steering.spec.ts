/** Faults of path control while `play` shows a stream over two networks of the lab. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { mergeTests, type TestInfo } from '@playwright/test';
import { descendantsOf, loadNative } from '../../src/kernel';
import type { LogEvent } from '../../src/session-log';
import { logLines, type RunningCommand } from '../cli/command';
import { test as commands } from '../cli/fixtures';
import {
  defaultNetwork,
  expect,
  ofType,
  pathsOf,
  test as networks,
  type NetworkOptions,
} from '../multipath/fixtures';
import { root } from '../support/electron';
import { expectWholeLog } from './whole-log';

const test = mergeTests(networks, commands);
const patience = { timeout: 60_000 };
const PLAYS_ON_MS = 3000;

/** Root without any capability: exec gives only what a file has. */
const UNPRIVILEGED = ['setpriv', '--securebits', '+noroot,+noroot_locked', '--inh-caps', '-all'];
/** `single-best` makes path 2 a backup. */
const harmful: NetworkOptions = {
  ...defaultNetwork,
  paths: pathsOf('5mbit,10ms', '600kbit,150ms,1%'),
};
/** The helper's socket holds 208 KiB. An event takes about 1 KiB of it, and a connection makes three of them. */
const MANY_CONNECTIONS = 300;
/** The socket for interfaces, addresses and routes holds 2 MiB. */
const MANY_ROUTES = 12_000;

const sh = (program: string, ...words: string[]): string =>
  execFileSync(program, words, { encoding: 'utf8' });
const endpoints = (): string => sh('ip', 'mptcp', 'endpoint');

const reports = (events: readonly LogEvent[]) =>
  ofType(events, 'path-control').map(({ report }) => report);

const isOnBoth = (logFile: string): boolean =>
  ofType(logLines(logFile), 'status').at(-1)?.status.state === 'multipath';

/** Playback goes on from here. Ctrl-C then ends the session in order, without a failure before. */
async function expectPlaysOn(play: RunningCommand, logFile: string): Promise<LogEvent[]> {
  const positionMs = (): number => ofType(logLines(logFile), 'player').at(-1)?.positionMs ?? 0;
  const fromMs = positionMs();
  await expect.poll(positionMs, patience).toBeGreaterThan(fromMs + PLAYS_ON_MS);
  play.child.kill('SIGINT');
  expect(await play.exited, play.stderr()).toBe(130);
  expect(play.stderr()).toContain('Summary');
  const events = expectWholeLog(logFile);
  expect(events.at(-1)).toMatchObject({ type: 'end', reason: 'interrupted' });
  expect(ofType(events, 'error').filter(({ fatal }) => fatal)).toEqual([]);
  return events;
}

/** The words of `play` over MPTCP, whose paths the kernel's path manager controls, and the log that it writes. */
function playing(url: string, info: TestInfo): { words: string[]; file: string } {
  const out = info.outputPath('run');
  const words = ['play', `${url}/manifest.mpd`, '--carriage', 'mptcp', '--log-format', 'plain'];
  return {
    words: [...words, '--out', out],
    file: path.join(out, 'session.jsonl'),
  };
}

test('plays on without the privilege, and says what it could do with it', async ({
  start,
  server,
}, info) => {
  const { words, file } = playing(server.url, info);
  const play = start(words, { through: UNPRIVILEGED });
  await expect.poll(() => isOnBoth(file), patience).toBe(true);
  const events = await expectPlaysOn(play, file);
  expect(reports(events)[0]?.capability).toMatchObject({
    available: false,
    reason: expect.stringMatching(/CAP_NET_ADMIN.*With the helper mpd-pathctl installed/),
  });
});

test.describe('over a fast path and a harmful one', () => {
  test.use({ network: harmful });

  test('plays on when the disk of the undo record is full, and leaves the path as it is', async ({
    start,
    server,
  }, info) => {
    const disk = info.outputPath('runtime');
    mkdirSync(disk);
    sh('mount', '-t', 'tmpfs', '-o', 'size=16k,mode=700', 'tmpfs', disk);
    try {
      mkdirSync(path.join(disk, 'multipath-dash'));
      expect(() => writeFileSync(path.join(disk, 'full'), Buffer.alloc(65_536))).toThrow('ENOSPC');
      const found = endpoints();
      const { words, file } = playing(server.url, info);
      const play = start([...words, '--policy', 'single-best'], { env: { XDG_RUNTIME_DIR: disk } });
      const refusals = (): string[] =>
        reports(logLines(file)).flatMap((report) => report.refusals.map(({ reason }) => reason));
      await expect.poll(refusals, patience).toContainEqual(expect.stringContaining('ENOSPC'));
      expect(endpoints()).toBe(found);
      await expectPlaysOn(play, file);
    } finally {
      sh('umount', disk);
    }
  });
});

const helperOf = (play: RunningCommand): number[] =>
  descendantsOf(play.child.pid ?? 0).filter((pid) =>
    readFileSync(`/proc/${pid}/comm`, 'utf8').includes('mpd-pathctl'),
  );

test('plays on when kernel events are lost, and when the helper is killed', async ({
  start,
  server,
}, info) => {
  // Private to the sandbox, where a file system without `nosuid` gives a program its capability.
  const helper = info.outputPath('mpd-pathctl');
  copyFileSync(path.join(root, 'native/build/mpd-pathctl'), helper);
  sh('setcap', 'cap_net_admin+ep', helper);
  sh('sysctl', '-qw', 'net.mptcp.pm_type=1');
  try {
    const { words, file } = playing(server.url, info);
    const play = start(words, {
      through: UNPRIVILEGED,
      env: { MULTIPATH_DASH_PATHCTL: helper },
    });
    const capability = (): unknown => reports(logLines(file)).at(-1)?.capability;
    await expect.poll(() => isOnBoth(file), patience).toBe(true);
    expect(capability()).toMatchObject({ available: true, through: 'helper' });

    const [pid = 0] = helperOf(play);
    process.kill(pid, 'SIGSTOP');
    const native = loadNative();
    const { hostname, port } = new URL(server.url);
    for (let n = 0; n < MANY_CONNECTIONS; n += 1) {
      native.closeFd(await native.connectMptcp({ address: hostname, port: Number(port) }));
    }
    process.kill(pid, 'SIGCONT');
    await expect.poll(() => play.stderr(), patience).toContain('MPTCP events were lost');

    const routes = Array.from(
      { length: MANY_ROUTES },
      (_unused, n) => `route add 10.200.${n >> 8}.${n & 255}/32 dev path1\n`,
    );
    writeFileSync(info.outputPath('routes'), routes.join(''));
    process.kill(play.child.pid ?? 0, 'SIGSTOP');
    sh('ip', '-batch', info.outputPath('routes'));
    process.kill(play.child.pid ?? 0, 'SIGCONT');
    await expect.poll(() => play.stderr(), patience).toContain('path control: events were lost');
    sh('ip', 'route', 'flush', 'root', '10.200.0.0/16');

    // Its guardian undoes the changes and ends by itself.
    process.kill(pid, 'SIGKILL');
    await expect.poll(capability, patience).toMatchObject({
      available: false,
      reason: expect.stringContaining('the helper ended'),
    });
    await expectPlaysOn(play, file);
  } finally {
    sh('sysctl', '-qw', 'net.mptcp.pm_type=0');
  }
});
