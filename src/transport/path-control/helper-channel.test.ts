import { describe, expect, it } from 'vitest';
import { PathControlError, type PathControlChange } from '../../ports';
import { InterfaceTable } from '../codec';
import { openHelperChannel } from './helper-channel';
import { createLinuxPathControl } from './linux-path-control';

/** Speaks as the helper does, knows one endpoint, and dies of the first change. */
const dying = `
  require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const [id, verb] = line.split(' ');
    if (verb === 'list') process.stdout.write(id + ' endpoint 1 10.0.2.2 0 3 2\\n' + id + ' ok\\n');
    else process.kill(process.pid, 'SIGKILL');
  });`;
const mute = `process.stderr.write('not for you'); process.exit(1)`;
const node = (program: string): string[] => [process.execPath, '-e', program];

describe('the way to the helper', () => {
  it('says that it cannot be started, and what it said', async () => {
    await expect(openHelperChannel(['/nonexistent/helper'])).rejects.toMatchObject({
      code: 'DENIED',
    });
    await expect(openHelperChannel(node(mute))).rejects.toMatchObject({
      code: 'DENIED',
      message: expect.stringContaining('not for you') as unknown,
    });
  });

  it('ends as lost when the helper is killed in mid-session, once, and the control says so', async () => {
    const table = new InterfaceTable();
    table.setLink({ index: 3, name: 'lte', up: true, loopback: false });
    table.addAddress(3, '10.0.2.2');
    const channel = await openHelperChannel(node(dying));
    const control = createLinuxPathControl({
      channel,
      table,
      foreignEndpoints: 'keep',
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
