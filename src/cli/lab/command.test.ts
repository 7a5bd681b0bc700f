import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Command } from 'commander';
import { expect, it, vi } from 'vitest';
import { capture } from '../../runner/testing/captured';

const calls = vi.hoisted(() => ({ shell: vi.fn(), run: vi.fn() }));
vi.mock('./shell', () => ({ shell: calls.shell }));
vi.mock('../../runner/run', async (original) => ({
  ...(await original<object>()),
  run: calls.run,
}));
const { addLabCommand } = await import('./command');

async function parse(...args: string[]): Promise<void> {
  const program = new Command().enablePositionalOptions().exitOverride();
  addLabCommand(program, '1.2.3');
  await program.parseAsync(['lab', ...args], { from: 'user' });
}

it('takes the options of a shell before and after the scenario, and leaves the program’s options alone', async () => {
  await parse('shell', 'pair.yaml', '--in', 'server', '--', 'ss', '-Mi', '--in', 'x');
  expect(calls.shell).toHaveBeenLastCalledWith(
    'pair.yaml',
    ['ss', '-Mi', '--in', 'x'],
    expect.objectContaining({ in: 'server' }),
  );
});

it('parses the options of a run', async () => {
  await parse('run', 'a', 'b', '--players', 'ours, bola@wifi', '--set', 'x=1', '--set', 'y=2');
  expect(calls.run).toHaveBeenLastCalledWith(
    ['a', 'b'],
    { players: ['ours', 'bola@wifi'], set: ['x=1', 'y=2'] },
    '1.2.3',
  );
});

it('checks every file and reports each that is wrong', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'mpd-check-'));
  try {
    for (const name of ['a', 'c']) writeFileSync(path.join(folder, `${name}.yaml`), 'name: x');
    const failure = parse('check', folder);
    await expect(failure).rejects.toThrow(/a\.yaml[^]*c\.yaml/);
    await expect(parse('check', '')).rejects.toThrow('the name of a scenario is empty');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

const PATHS = 'topology: { kind: multihomed, paths: { wifi: { rate: 5mbit } } }\n';

interface Checked {
  folder: string;
  stdout: string;
  /** Empty if it refused nothing. */
  refusal: string;
}

/** Runs `lab check` over files in a folder of their own. @param target within the folder */
async function check(
  files: Readonly<Record<string, string>>,
  target = 'a.yaml',
  options: readonly string[] = [],
): Promise<Checked> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'mpd-check-'));
  const captured = capture();
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
    const refusal = await parse('check', path.join(folder, target), ...options).then(
      () => '',
      String,
    );
    return { folder, stdout: captured.stdout, refusal };
  } finally {
    vi.restoreAllMocks();
    rmSync(folder, { recursive: true });
  }
}

/** The output of `lab check`, or the text of its refusal. */
async function checked(files: Readonly<Record<string, string>>): Promise<string> {
  const { stdout, refusal } = await check(files);
  return refusal || stdout;
}

it('lists the problems of each file as JSON', async () => {
  const files = { 'a.yaml': PATHS, 'b.yaml': 'name: x\n' };
  const { folder, stdout, refusal } = await check(files, '.', ['--json']);
  expect(refusal).toContain('b.yaml');
  const [good, bad] = [path.join(folder, 'a.yaml'), path.join(folder, 'b.yaml')];
  const text = expect.stringContaining(`${bad}:1:1`) as string;
  expect(JSON.parse(stdout)).toEqual({
    scenarios: [
      { file: good, problems: [] },
      { file: bad, problems: [text, expect.any(String)] },
    ],
  });
});

it('refuses what the kernel backend cannot emulate, without privilege', async () => {
  const said = await checked({
    'a.yaml': `${PATHS}backend: kernel\nevents: [{ at: 1s, path: wifi, state: down }]\n`,
  });
  expect(said).toMatch(/a\.yaml: link wifi: state: .*use blackhole/);
});

it('reads a folder of media, and compares its length with the duration', async () => {
  const media = 'media: { kind: folder, dir: ., mpd: film.mpd }\n';
  expect(await checked({ 'a.yaml': PATHS + media })).toMatch(
    /a\.yaml: there is no MPD .*film\.mpd/,
  );
  const mpd = `<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT4S">
    <Period><AdaptationSet contentType="video" mimeType="video/mp4">
    <SegmentTemplate media="$Number$.m4s" initialization="init.mp4" duration="4" timescale="1" startNumber="1"/>
    <Representation id="0" bandwidth="100000"/></AdaptationSet></Period></MPD>`;
  const film = { 'film.mpd': mpd, 'init.mp4': 'x', '1.m4s': 'x' };
  expect(await checked({ ...film, 'a.yaml': PATHS + media })).toMatch(
    /a: its media last 4 s, less than the 60 s/,
  );
  const short = `${PATHS}${media}duration: 4s\n`;
  expect(await checked({ ...film, 'a.yaml': short })).toContain('a.yaml: fine');
});

it('notes what a simulated sweep would refuse', async () => {
  const said = await checked({ 'a.yaml': `${PATHS}server: { http: http2 }\n` });
  expect(said).toMatch(
    /a\.yaml: fine\n {2}note: a simulated sweep cannot play it: the simulator has no http2/,
  );
});

it('shows the rates of a packet trace by seconds, not by its gaps', async () => {
  const packets = Array.from({ length: 2000 }, (_, index) => 3 * index + (index < 1000 ? 3 : 2005));
  const said = await checked({
    'walk.down': packets.join('\n'),
    'a.yaml': `topology: { kind: multihomed, paths: { wifi: { trace: walk.down } } }\nduration: 8s\n`,
  });
  expect(said.split('\n')[1]).toBe(
    '  wifi: walk.down: 4000 rates in 8.0 s, mean 3.0 Mbit/s (0 bit/s to 4.0 Mbit/s over a second), 2.0 s at 0',
  );
});

it('shows what the traces of a scenario hold', async () => {
  const said = await checked({
    'walk.csv': 'time;rate\n0;4000\n1000;0\n3000;2000\n',
    'a.yaml': 'topology: { kind: multihomed, paths: { wifi: { trace: walk.csv } } }\n',
  });
  expect(said.split('\n').slice(1)).toEqual([
    '  wifi: walk.csv: 3 rates in 5.0 s, mean 1.6 Mbit/s (0 bit/s to 4.0 Mbit/s), 2.0 s at 0, shorter than the session: then it begins again',
    '',
  ]);
});
