import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Command } from 'commander';
import { expect, it, vi } from 'vitest';

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

it('lists the problems of each file as JSON', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'mpd-check-'));
  let written = '';
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    written += String(text);
    return true;
  });
  try {
    const [good, bad] = ['a', 'b'].map((name) => path.join(folder, `${name}.yaml`)) as [
      string,
      string,
    ];
    writeFileSync(good, 'topology: { kind: multihomed, paths: { wifi: { rate: 5mbit } } }\n');
    writeFileSync(bad, 'name: x\n');
    await expect(parse('check', folder, '--json')).rejects.toThrow('b.yaml');
    const text = expect.stringContaining(`${bad}:1:1`) as string;
    expect(JSON.parse(written)).toEqual({
      scenarios: [
        { file: good, problems: [] },
        { file: bad, problems: [text, expect.any(String)] },
      ],
    });
  } finally {
    write.mockRestore();
    rmSync(folder, { recursive: true });
  }
});

it('shows what the traces of a scenario hold', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'mpd-check-'));
  const written: string[] = [];
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    written.push(String(text));
    return true;
  });
  try {
    writeFileSync(path.join(folder, 'walk.csv'), 'time;rate\n0;4000\n1000;0\n3000;2000\n');
    const scenario = 'topology: { kind: multihomed, paths: { wifi: { trace: walk.csv } } }\n';
    writeFileSync(path.join(folder, 'a.yaml'), scenario);
    await parse('check', path.join(folder, 'a.yaml'));
  } finally {
    write.mockRestore();
    rmSync(folder, { recursive: true });
  }
  expect(written.join('').split('\n').slice(1)).toEqual([
    '  wifi: walk.csv: 3 rates in 5.0 s, mean 1.6 Mbit/s (0 bit/s to 4.0 Mbit/s), 2.0 s at 0, shorter than the session: then it begins again',
    '',
  ]);
});
