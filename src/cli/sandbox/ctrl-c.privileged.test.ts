import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { labRefusal } from '../../lab';

const refusal = process.env['CI'] === 'true' ? undefined : await labRefusal({ isEmulated: false });
const title = refusal === undefined ? 'Ctrl-C' : `Ctrl-C (skipped: ${refusal.message})`;
const COMMAND = fileURLToPath(new URL('testing/sandbox-command.ts', import.meta.url));
/** More than the time in which two signals count as one. */
const APART_MS = 700;

/** Like a shell: it survives Ctrl-C, which ends its foreground command. */
const SHELL = "trap 'echo interrupted' INT; for i in 1 2; do echo waiting; sleep 60; done; exit 7";

describe.skipIf(refusal !== undefined)(title, () => {
  it('ends the command of a shell in a sandbox, and not the shell', async () => {
    const program = ['--import', 'tsx', COMMAND, 'sandbox', '--', 'sh', '-c', SHELL];
    const outer = spawn(process.execPath, program, { stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    outer.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    const ended = once(outer, 'close');
    for (const count of [1, 2]) {
      await expect.poll(() => output.split('waiting').length - 1, { timeout: 120_000 }).toBe(count);
      await delay(APART_MS);
      outer.kill('SIGINT');
    }
    expect(await ended).toEqual([7, null]);
    expect(output.match(/interrupted/g)).toHaveLength(2);
  });
});
