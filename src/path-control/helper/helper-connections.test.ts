import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatMptcpEvent } from '../../kernel/codec/testing/format-mptcp-event';
import { openHelperConnections, parseConnectionLines, parseEventLine } from './helper-connections';

const words = (line: string): string[] => line.split(' ');
const SUBFLOW = 'subflow 1000 10.0.1.2 40000 10.9.0.1 443 0 0 1 96';

describe('the helper’s answers about connections', () => {
  it('are read line by line, of the wanted connections only', () => {
    const lines = [
      'connection 1000 10.9.0.1 443',
      SUBFLOW,
      'subflow 1000 fd00::1 40001 fd00::9 443 7 3 2 0',
      'connection 2000 10.9.0.1 443',
      'subflow 2000 10.0.1.2 40002 10.9.0.1 443 0 0 1 0',
    ];
    expect(parseConnectionLines(lines.map(words), new Set([1000]))).toEqual([
      {
        token: 1000,
        remote: { address: '10.9.0.1', port: 443 },
        subflows: [
          {
            local: { address: '10.0.1.2', port: 40_000 },
            remote: { address: '10.9.0.1', port: 443 },
            localId: 0,
            remoteId: 0,
            state: 'backup',
            backupLocal: true,
            fullyEstablished: true,
          },
          {
            local: { address: 'fd00::1', port: 40_001 },
            remote: { address: 'fd00::9', port: 443 },
            localId: 7,
            remoteId: 3,
            state: 'connecting',
            backupLocal: false,
            fullyEstablished: false,
          },
        ],
      },
    ]);
  });

  it.each([
    `${SUBFLOW} 1`,
    SUBFLOW.replace('10.0.1.2', 'wlan0'),
    SUBFLOW.replace('40000', '70000'),
    SUBFLOW.replace('443 0 0', '443 256 0'),
    SUBFLOW.replace('40000', '-1'),
    SUBFLOW.replace(' 96', ''),
    'subflow',
  ])('leaves out %j', (line) => {
    const lines = [words('connection 1000 10.9.0.1 443'), words(line)];
    expect(parseConnectionLines(lines, new Set([1000]))[0]?.subflows).toEqual([]);
  });

  it('never throw, and only an event becomes an event', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string(), fc.constantFrom(...words(SUBFLOW)))), (line) => {
        expect(parseConnectionLines([line], new Set([1000]))).toEqual([]);
        expect(parseEventLine(line)).toBeUndefined();
      }),
    );
    const event = { kind: 'announced', token: 1000, remoteId: 5 } as const;
    const { command, payload } = formatMptcpEvent(event);
    const hex = Buffer.from(payload).toString('hex');
    expect(parseEventLine(['event', String(command), hex])).toEqual(event);
    expect(parseEventLine(['event', String(command), hex.slice(0, -1)])).toBeUndefined();
    expect(parseEventLine(['event', String(command), hex.slice(0, 10)])).toBeUndefined();
  });

  it('include the loss of events, which is forwarded', async () => {
    const overrun = `require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const [id, verb] = line.split(' ');
      process.stdout.write(id + ' ok\\n' + (verb === 'connections' ? '0 lost\\n' : ''));
    });`;
    const notes: string[] = [];
    const channel = await openHelperConnections([process.execPath, '-e', overrun], ({ code }) =>
      notes.push(code),
    );
    const lost = new Promise<void>((resolve) => channel.onLost(resolve));
    await channel.connections(new Set([1]));
    await lost;
    expect(notes).toEqual(['EVENTS_OVERRUN']);
    channel.close();
  });

  it('of an older helper lack the command, which is reported', async () => {
    const older = `require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const [id, verb] = line.split(' ');
      process.stdout.write(verb === 'list' ? id + ' ok\\n' : '0 error malformed request\\n');
    });`;
    await expect(openHelperConnections([process.execPath, '-e', older])).rejects.toMatchObject({
      code: 'FAILED',
      message: expect.stringContaining('install the one of this version') as unknown,
    });
  });
});
