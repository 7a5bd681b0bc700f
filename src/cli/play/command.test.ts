import { Command } from 'commander';
import { expect, it } from 'vitest';
import { addPlayCommand } from './command';

it('refuses media over MPTCP without MPTCP', async () => {
  const program = new Command().exitOverride();
  addPlayCommand(program);
  const args = ['play', 'https://a.example/film.mpd', '--no-mptcp', '--carriage', 'mptcp'];
  await expect(program.parseAsync(args, { from: 'user' })).rejects.toThrow('contradict');
});
