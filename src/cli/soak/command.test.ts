import { Command } from 'commander';
import { expect, it } from 'vitest';
import { addSoakCommand } from './command';

const soak = (...args: string[]): Promise<unknown> => {
  const program = new Command().exitOverride().configureOutput({ writeErr: () => undefined });
  addSoakCommand(program, '0');
  return program.parseAsync(['soak', ...args], { from: 'user' });
};

it.each(['600h', '169h', '0s', '2'])('refuses a run of %s', async (time) => {
  await expect(soak('--for', time)).rejects.toThrow('at most 168h');
  await expect(soak('--warm-up', time)).rejects.toThrow('at most 168h');
});

it.each(['2h', '3h'])('refuses a warm-up of %s in a run of two hours', async (time) => {
  await expect(soak('--for', '2h', '--warm-up', time)).rejects.toThrow('nothing would be measured');
});
