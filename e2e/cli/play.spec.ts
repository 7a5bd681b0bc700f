/** `play` under attack and in trouble: its effect on the viewer, and its leftovers. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, type TestInfo } from '@playwright/test';
import { descendantsOf } from '../../src/kernel';
import { readLog } from '../../src/transport';
import { serveFaulty, type FaultyServer } from '../player/faulty-server';
import { expectWholeLog } from '../faults/whole-log';
import { ensureClip } from '../support/clip';
import { nightly } from '../support/nightly';
import { markedProcesses } from '../support/own-processes';
import { logLines, type RunningCommand } from './command';
import { test as base } from './fixtures';

const test = base.extend<{ media: FaultyServer }>({
  // eslint-disable-next-line no-empty-pattern -- Playwright reads what a fixture needs from its pattern
  media: async ({}, use) => {
    const media = await serveFaulty(path.dirname(ensureClip()));
    await use(media);
    await media.close();
  },
});

const patience = { timeout: 60_000 };

async function untilPlaying(logFile: string, play: RunningCommand): Promise<void> {
  const isPlaying = (): boolean =>
    logLines(logFile).some((event) => event.type === 'player' && event.positionMs > 500);
  await expect.poll(isPlaying, { ...patience, message: play.stderr() }).toBe(true);
}

/** Command lines of every process, as any user reads them. */
const commandLines = (): string =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
      } catch {
        return '';
      }
    })
    .join('\n');

test('hands the token over where no other user can read it', async ({ run, mark, media }, info) => {
  const out = info.outputPath('run');
  const url = `${media.origin}/stream.mpd?signature=s3cret`;
  const play = run('play', url, '--out', out, '--log-format', 'plain');
  await untilPlaying(`${out}/session.jsonl`, play);
  expect(markedProcesses(mark).length).toBeGreaterThan(3);
  expect(commandLines()).toContain('/start');
  expect(commandLines()).not.toMatch(/token=|feed=ws/);
  play.child.kill('SIGINT');
  expect(await play.exited, play.stderr()).toBe(130);
  const file = `${out}/session.jsonl`;
  expect(readFileSync(file, 'utf8')).not.toContain('s3cret');
  expect(statSync(file).mode & 0o077).toBe(0);
  expect(statSync(out).mode & 0o077).toBe(0);
});

test('ends with a clear message when the page’s process is killed', async ({
  run,
  mark,
  media,
}, info) => {
  const out = info.outputPath('run');
  const url = `${media.origin}/stream.mpd`;
  const play = run('play', url, '--out', out, '--log-format', 'plain', '--json', '-');
  await untilPlaying(`${out}/session.jsonl`, play);
  const renderers = descendantsOf(play.child.pid ?? 0).filter((pid) =>
    readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('--type=renderer'),
  );
  expect(renderers).not.toEqual([]);
  for (const pid of renderers) process.kill(pid, 'SIGKILL');
  expect(await play.exited, play.stderr()).toBe(1);
  expect(play.stderr()).toMatch(/lost its page|the player page is gone/);
  expect(JSON.parse(play.stdout())).toMatchObject({ playedMs: expect.any(Number) });
  expectWholeLog(`${out}/session.jsonl`);
  await expect.poll(() => markedProcesses(mark), patience).toEqual([]);
});

const bytesOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

for (const form of ['plain', 'compact']) {
  const details = form === 'plain' ? nightly : {};
  test(
    `keeps log and summary when the log's folder is deleted (${form})`,
    details,
    async ({ run, media }, info) => {
      const out = info.outputPath('run');
      const url = `${media.origin}/stream.mpd`;
      const play = run('play', url, '--seconds', '4', '--out', out, '--log-format', form);
      const file = `${out}/session.jsonl${form === 'plain' ? '' : '.gz'}`;
      // A compact log begins in its tail file.
      const written = (): number => bytesOf(file) + bytesOf(`${file}.tail`);
      await expect.poll(written, patience).toBeGreaterThan(0);
      rmSync(out, { recursive: true });
      expect(await play.exited, play.stderr()).toBe(0);
      expect(play.stderr()).toContain('was deleted or moved while it was written');
      expect(play.stderr()).toContain('Summary');
      expectWholeLog(file);
    },
  );
}

test('plays on when the disk is full, and prints the summary', async ({ run, media }, info) => {
  const disk = info.outputPath('disk');
  mkdirSync(disk);
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=32k', 'tmpfs', disk]);
  expect(String(mounted.stderr)).toBe('');
  try {
    const url = `${media.origin}/stream.mpd`;
    const options = ['--out', `${disk}/run`, '--json', `${disk}/summary.json`];
    const play = run('play', url, '--seconds', '6', ...options, '--log-format', 'plain');
    expect(await play.exited, play.stderr()).toBe(3);
    expect(play.stderr()).toMatch(/ENOSPC.*the rest of this session is not logged/);
    expect(play.stderr()).toContain('Summary');
    const summary = JSON.parse(play.stdout()) as { playedMs: number };
    // Six seconds, less the pauses of a busy machine.
    expect(summary.playedMs).toBeGreaterThan(2000);
    // All earlier lines are whole.
    const { events, errors } = readLog(`${disk}/run/session.jsonl`);
    expect([errors, events[0]?.type]).toEqual([[], 'config']);
  } finally {
    spawnSync('umount', [disk]);
  }
});

const PUBLIC = '93.184.216.34';

/** Networks of its own: this machine's, and the one of a server, at an address of the internet or at 127.0.0.1. */
const withServer = (folder: string, address: string, asked: string): string[] => {
  const program = (name: string): string => `node '${path.join(import.meta.dirname, name)}'`;
  const serve = `${program('forging-server.mjs')} '${folder}' ${address}`;
  const internet = `
    unshare --net sh -c '
      until ip link show net1 >/dev/null 2>&1; do sleep 0.05; done
      ip link set lo up; ip link set net1 up; ip address add ${PUBLIC}/24 dev net1
      exec ${serve.replaceAll("'", '')}' &
    server=$!
    until test "$(readlink /proc/$server/ns/net)" != "$(readlink /proc/self/ns/net)"
    do sleep 0.05; done
    ip link add net0 type veth peer name net1 netns $server
    ip link set net0 up; ip address add 93.184.216.35/24 dev net0; ip route add default via ${PUBLIC}`;
  const script = `
    ip link set lo up
    ${program('local-service.mjs')} '${asked}' &
    local=$!
    ${address === PUBLIC ? internet : `${serve} & server=$!`}
    "$@"; status=$?
    kill $server $local; exit $status`;
  return [
    ...['unshare', '--map-root-user', '--net', '--pid', '--fork', '--kill-child', '--mount-proc'],
    ...['sh', '-c', script, 'sh'],
  ];
};

test.describe('a manifest that sends the player to a local service', () => {
  const asked = async (
    start: (args: string[], options: { through: string[] }) => RunningCommand,
    info: TestInfo,
    address: string,
    carriage: string,
  ): Promise<{ paths: string[]; play: RunningCommand }> => {
    const file = info.outputPath('asked');
    const folder = path.dirname(ensureClip());
    const url = `http://${address}:8000/stream.mpd`;
    const play = start(
      ['play', url, '--carriage', carriage, '--seconds', '4', '--out', info.outputPath('run')],
      { through: withServer(folder, address, file) },
    );
    expect(await play.exited, play.stderr()).toBe(0);
    const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
    return { paths: [...new Set(lines.map((line) => line.replace(/[?].*/, '')))].sort(), play };
  };

  for (const carriage of ['mptcp', 'ranges']) {
    test(`reaches nothing of this machine from the internet (${carriage})`, async ({
      start,
    }, info) => {
      const { paths, play } = await asked(start, info, PUBLIC, carriage);
      expect(paths).toEqual([]);
      expect(play.stderr()).toContain('http://127.0.0.1:9000 (loopback) was blocked');
    });
  }

  test('reaches it from this machine, as the control of the test above', async ({
    start,
  }, info) => {
    const { paths } = await asked(start, info, '127.0.0.1', 'mptcp');
    expect(paths).toEqual(expect.arrayContaining(['GET /callback', 'GET /report']));
  });
});
