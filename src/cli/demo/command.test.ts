import { Command } from 'commander';
import { afterEach, expect, it, vi } from 'vitest';
import { addDemoCommand } from './command';

const demo = (...args: string[]): Promise<unknown> => {
  const program = new Command().exitOverride().configureOutput({ writeErr: () => undefined });
  addDemoCommand(program);
  return program.parseAsync(['demo', ...args], { from: 'user' });
};

afterEach(() => vi.unstubAllEnvs());

it('refuses an event that the demo does not reach', async () => {
  const event = ['--event', '20s:path2:down'];
  await expect(demo('--seconds', '20', ...event)).rejects.toThrow('20 s is not before the end');
});

it('refuses more paths than the lab has', async () => {
  const paths = Array.from({ length: 9 }, () => ['--path', '1mbit,10ms']).flat();
  await expect(demo(...paths)).rejects.toThrow('at most 8 paths');
});

it('refuses media over MPTCP without MPTCP', async () => {
  await expect(demo('--no-mptcp', '--carriage', 'mptcp')).rejects.toThrow('contradict');
});

it('refuses the desktop app without a display before anything is made', async () => {
  vi.stubEnv('DISPLAY', '').stubEnv('WAYLAND_DISPLAY', '');
  await expect(demo('--player', 'electron')).rejects.toThrow('xvfb-run -a');
});
