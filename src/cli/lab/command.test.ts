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
