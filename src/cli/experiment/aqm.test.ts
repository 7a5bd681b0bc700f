import { Command } from 'commander';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addExperimentCommand } from './command';

let dir = '';
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'aqm-test-'));
});
afterEach(() => {
  rmSync(dir, { recursive: true, force: true });
});

async function command(...args: string[]): Promise<void> {
  const program = new Command().exitOverride().configureOutput({ writeErr: () => undefined });
  addExperimentCommand(program, 'test');
  for (const one of program.commands.flatMap((group) => group.commands)) {
    one.exitOverride().configureOutput({ writeErr: () => undefined });
  }
  await program.parseAsync(['experiment', 'aqm', ...args], { from: 'user' });
}

describe('experiment aqm', () => {
  it.each([
    [['--trials', '0'], /1 to 1000/],
    [['--trials', '1.5'], /1 to 1000/],
    [['--seed', '-1'], /0 to 4294967295/],
    [['--parallel', 'many'], /auto/],
    [['--jobs', '2'], /--jobs: only with --simulated/],
    [['--simulated', '--parallel', '2'], /--parallel: only without --simulated/],
    [
      ['--simulated', '--seconds', '9', '--retry-failed'],
      /--seconds, --retry-failed: only without/,
    ],
  ])('refuses %j', async (args, why) => {
    await expect(command(...args)).rejects.toThrow(why);
  });

  it('resumes with the options of the run, not with others', async () => {
    await expect(command('--resume', dir, '--quick')).rejects.toThrow(/takes everything/);
  });

  it('resumes a simulated run only as a simulated one', async () => {
    await expect(command('--simulated', '--resume', dir, '--quick')).rejects.toThrow(/--quick out/);
    await expect(command('--simulated', '--resume', dir)).rejects.toThrow(/simulated experiment/);
  });

  it('names the missing part in a folder without such a run', async () => {
    mkdirSync(path.join(dir, 'pie-5ms'));
    const record = {
      schemaVersion: 1,
      scenario: { name: 'pie-5ms', players: [], topology: { paths: [], links: [] } },
      plan: [],
    };
    writeFileSync(path.join(dir, 'pie-5ms', 'run.json'), JSON.stringify(record));
    await expect(command('--resume', dir)).rejects.toThrow(
      /not there: pie-10ms, pie-15ms, fq-pie-5ms/,
    );
  });

  it('refuses an unwritable JSON file before any trial', async () => {
    await expect(command('--json', path.join(dir, 'none', 'x.json'))).rejects.toThrow(/--json/);
  });
});
