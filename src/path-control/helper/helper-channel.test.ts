import { describe, expect, it } from 'vitest';
import { PathControlError, type PathControlChange } from '../../ports';
import { InterfaceTable } from '../../kernel';
import { openHelperChannel } from './helper-channel';
import { createLinuxPathControl } from '../endpoints/linux-path-control';

/** Answers like the helper, knows one endpoint, and exits at the first change. */
const DYING = `
  require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const [id, verb] = line.split(' ');
    if (verb === 'list') process.stdout.write(id + ' endpoint 1 10.0.2.2 0 3 2\\n' + id + ' ok\\n');
    else process.kill(process.pid, 'SIGKILL');
  });`;
const MUTE = `process.stderr.write('not for you'); process.exit(1)`;
const node = (program: string): string[] => [process.execPath, '-e', program];

describe('the channel to the helper', () => {
  it('reports a failed start with the helper’s output', async () => {
    await expect(openHelperChannel(['/nonexistent/helper'])).rejects.toMatchObject({
      code: 'DENIED',
    });
    await expect(openHelperChannel(node(MUTE))).rejects.toMatchObject({
      code: 'DENIED',
      message: expect.stringContaining('not for you') as unknown,
    });
  });

  it('ends as lost once when the helper is killed, and the control reports it', async () => {
    const table = new InterfaceTable();
    table.setLink({ index: 3, name: 'lte', up: true, loopback: false });
    table.addAddress(3, '10.0.2.2');
    const channel = await openHelperChannel(node(DYING));
    const control = createLinuxPathControl({
      channel,
      table,
      foreignEndpoints: 'keep',
      later: () => () => undefined,
      onError: () => undefined,
    });
    const changes: PathControlChange[] = [];
    control.onChange((change) => changes.push(change));
    expect(control.capability()).toEqual({ available: true, through: 'helper' });
    const refused = await control.setState('lte', 'backup').catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(PathControlError);
    expect(refused).toMatchObject({ code: 'LOST' });
    expect(control.capability()).toMatchObject({
      available: false,
      reason: expect.stringContaining('the helper ended') as unknown,
    });
    expect(changes).toHaveLength(1);
    expect(changes[0]?.endpoints).toEqual([]);
    await expect(control.list()).rejects.toMatchObject({ code: 'LOST' });
    await control.close();
  });
});
