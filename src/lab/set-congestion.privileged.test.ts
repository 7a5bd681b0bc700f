import { execFile } from 'node:child_process';
import net from 'node:net';
import process from 'node:process';
import { describe, expect, it } from 'vitest';
import { findOwnProgram } from './find-file';

const reason = process.getuid?.() === 0 ? undefined : 'run as root';
const title = `mpd-congestion${reason === undefined ? '' : ` (skipped: ${reason})`}`;
const tool = findOwnProgram('native/build/mpd-congestion') ?? '';

interface Answer {
  failed: boolean;
  stdout: string;
  stderr: string;
}

/** Asks for Reno on the listeners of this process. */
function setReno(program: string, ...args: string[]): Promise<Answer> {
  return new Promise((resolve) => {
    execFile(program, [...args, String(process.pid), 'reno'], (error, stdout, stderr) =>
      resolve({ failed: error !== null, stdout, stderr }),
    );
  });
}

describe.skipIf(reason !== undefined)(title, () => {
  it('sets the control of a listener, and names the reason if it may not look', async () => {
    const server = net.createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    expect(await setReno(tool)).toMatchObject({ failed: false, stderr: '' });
    // As in a container: root, without the right to inspect processes.
    const refused = await setReno('setpriv', '--bounding-set=-sys_ptrace', tool);
    expect(refused).toMatchObject({ failed: true, stdout: '' });
    expect(refused.stderr).toContain('pidfd_getfd: Operation not permitted');
    await new Promise((resolve) => server.close(resolve));
    const none = await setReno(tool);
    expect(none).toMatchObject({ failed: true });
    expect(none.stderr).toContain('no TCP listener');
  });
});
