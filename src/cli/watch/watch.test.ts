import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import type { ConnectionSample, SampleBatch, SubflowSample } from '../../core';
import type { Native } from '../../kernel';
import { runWatch, addWatchCommand } from './command';
import { watchFrame } from './model';
import { watchLines } from './view';

const subflow = (subflowId: string, bytesReceived: number): SubflowSample => ({
  subflowId,
  pathId: `path${subflowId}`,
  local: { address: '10.0.1.2', port: 4000 },
  remote: { address: '2001:db8::1', port: 443 },
  state: 'active',
  bytesReceived,
  rcvRttUs: 21_500,
});
const connection = (
  connectionId: string,
  inOrderBytes: number,
  subflows: SubflowSample[],
): ConnectionSample => ({
  connectionId,
  kind: 'mptcp',
  local: { address: '10.0.1.2', port: 4000 },
  remote: { address: '2001:db8::1', port: 443 },
  inOrderBytes,
  subflows,
});
const batch = (monotonicMs: number, connections: ConnectionSample[]): SampleBatch => ({
  monotonicMs,
  connections,
  lostSamples: 0,
});
const nobody = (): undefined => undefined;

describe('watchFrame', () => {
  it('gives rates, shares and out-of-order bytes', () => {
    const frame = watchFrame(
      batch(1000, [connection('m:1', 1000, [subflow('a', 600), subflow('b', 400)])]),
      batch(1500, [connection('m:1', 126_000, [subflow('a', 75_600), subflow('b', 60_400)])]),
      (id) => (id === 'm:1' ? { pid: 7, name: 'player' } : undefined),
    );
    const [shown] = frame.connections;
    expect(frame.periodMs).toBe(500);
    expect(shown).toMatchObject({ inOrderBps: 2e6, holBytes: 10_000, process: { pid: 7 } });
    expect(shown?.subflows.map((s) => s.rateBps)).toEqual([1.2e6, 0.96e6]);
    expect(shown?.subflows[0]?.share).toBeCloseTo(0.5556, 3);
    expect(shown?.subflows[0]?.rcvRttMs).toBe(21.5);
  });

  it('gives no rate for a connection in its first sample', () => {
    const frame = watchFrame(
      batch(1000, []),
      batch(2000, [connection('m:1', 5000, [subflow('a', 5000)])]),
      nobody,
    );
    expect(frame.connections[0]).toMatchObject({ inOrderBps: 0, process: null });
    expect(frame.connections[0]?.subflows[0]).toMatchObject({ rateBps: 0, share: 0 });
  });

  it('shows connections of one process over several interfaces as byte ranges', () => {
    const over = (id: string, interfaceName: string, bytes: number): ConnectionSample => ({
      ...connection(id, bytes, [{ ...subflow(id, bytes), interfaceName }]),
      kind: 'tcp',
    });
    const at = (bytes: number): ConnectionSample[] => [
      over('t:1', 'wlan0', 3 * bytes),
      over('t:2', 'wwan0', bytes),
      over('t:3', 'wlan0', 0),
    ];
    const player = { pid: 7, name: 'player' };
    const owner = (id: string): typeof player | undefined => (id === 't:3' ? undefined : player);
    const { connections } = watchFrame(batch(0, at(0)), batch(1000, at(1000)), owner);
    expect(connections.map(({ kind }) => kind)).toEqual(['ranges', 'tcp']);
    expect(connections[0]).toMatchObject({ inOrderBps: 32_000 });
    expect(connections[0]?.subflows.map(({ share }) => share)).toEqual([0.75, 0.25]);
  });

  it('counts all bytes of a subflow that joined in between', () => {
    const frame = watchFrame(
      batch(1000, [connection('m:1', 0, [subflow('a', 0)])]),
      batch(2000, [connection('m:1', 0, [subflow('a', 0), subflow('b', 1000)])]),
      nobody,
    );
    expect(frame.connections[0]?.subflows.map((s) => s.rateBps)).toEqual([0, 8000]);
  });

  it('puts the busiest first', () => {
    const before = batch(0, [connection('m:1', 0, []), connection('m:2', 0, [])]);
    const now = batch(1000, [connection('m:1', 10, []), connection('m:2', 99, [])]);
    const order = watchFrame(before, now, nobody).connections.map((c) => c.connectionId);
    expect(order).toEqual(['m:2', 'm:1']);
  });
});

describe('watchLines', () => {
  const frame = watchFrame(
    undefined,
    batch(1, [connection('m:1', 0, [subflow('a', 0), subflow('b', 0)])]),
    () => ({ pid: 7, name: 'evil\u001b[2Jname' }),
  );

  it('shows connections and subflows', () => {
    const lines = watchLines(frame, { colour: false, columns: Infinity });
    expect(lines).toHaveLength(5);
    expect(lines[2]).toContain('to [2001:db8::1]:443');
    expect(lines[3]).toMatch(/patha +active +0\.00 +0 % +21\.5 ms +- +-/);
  });

  it('lets no process name control the terminal', () => {
    const text = watchLines(frame, { colour: false, columns: Infinity }).join('\n');
    expect(text).not.toContain('\u001b');
    expect(text).toContain('evil\ufffd[2Jname');
  });

  it('fits the terminal', () => {
    const lines = watchLines(frame, { colour: true, columns: 30, rows: 3 });
    expect(lines).toHaveLength(3);
    // Without the colour codes no line is wider than the terminal.
    const escape = String.fromCharCode(27);
    for (const line of lines) {
      const bare = line
        .split(escape)
        .map((part, i) => (i === 0 ? part : part.replace(/^\[\d+m/, '')));
      expect(bare.join('').length).toBeLessThanOrEqual(30);
    }
    expect(lines[2]).toMatch(/3 more lines/);
  });

  it('puts an error first', () => {
    const problem = 'net.mptcp.enabled is 0';
    const lines = watchLines(watchFrame(undefined, batch(1, []), nobody, problem), {
      colour: false,
      columns: 80,
    });
    expect(lines).toEqual(['0 connections', problem]);
  });
});

describe('watch --period', () => {
  it.each(['9', '10001', 'x', '50.5', ''])('refuses %j', async (period) => {
    const program = new Command().exitOverride().configureOutput({ writeErr: () => undefined });
    addWatchCommand(program);
    program.commands.forEach((command) => command.exitOverride().copyInheritedSettings(program));
    await expect(
      program.parseAsync(['watch', '--once', '--period', period], { from: 'user' }),
    ).rejects.toThrow(/whole number of milliseconds/);
  });
});

describe('runWatch', () => {
  it('refuses an unknown namespace before it takes the terminal or another resource', async () => {
    const written: string[] = [];
    const stdout = {
      isTTY: true,
      write: (text: string) => written.push(text),
      on: expect.unreachable,
    } as unknown as NodeJS.WriteStream;
    class Sampler {
      start(): void {
        throw new Error('cannot open network namespace nowhere');
      }
    }
    const native = { Sampler } as unknown as Native;
    const before = process.getActiveResourcesInfo().length;
    const watching = runWatch({ netns: 'nowhere' }, { stdout, loadNative: () => native });
    await expect(watching).rejects.toThrow('nowhere');
    expect(written).toEqual([]);
    expect(process.getActiveResourcesInfo().length).toBe(before);
  });
});
