import { describe, expect } from 'vitest';
import { parseFeedDown } from '../../ipc';
import type { TransportMessage } from '../../ports';
import { privilegedIt, runPrivately } from '../../kernel/testing/private-network';

type Line = TransportMessage | { step: string } | { received: number } | { note: object };

const isMessage = (line: Line): line is TransportMessage => 'type' in line;

/** Messages of the feed after each step. */
function bySteps(lines: readonly Line[]): Map<string, TransportMessage[]> {
  const steps = new Map<string, TransportMessage[]>();
  let current: TransportMessage[] = [];
  steps.set('start', current);
  for (const line of lines) {
    if ('step' in line) steps.set(line.step, (current = []));
    else if (isMessage(line)) current.push(line);
  }
  return steps;
}
const paths = (messages: readonly TransportMessage[] = []): string[] =>
  messages.flatMap((m) => (m.type === 'path' ? [`${m.event.kind} ${m.event.pathId ?? ''}`] : []));
const states = (messages: readonly TransportMessage[] = []): string[] =>
  messages.flatMap((m) => (m.type === 'status' ? [m.status.state] : []));

describe('the feed over two real paths', () => {
  privilegedIt('reports bytes, joins, priorities, link loss and removal', async () => {
    const lines = (await runPrivately('src/transport/testing/feed-scenario.ts')) as Line[];
    const steps = bySteps(lines);
    const messages = lines.filter(isMessage);

    expect(paths(steps.get('connect'))).toEqual(['subflow-established c1']);
    expect(states(steps.get('connect'))).toContain('single-subflow');
    expect(paths(steps.get('endpoint'))).toEqual(['subflow-established c2']);
    expect(states(steps.get('endpoint'))).toEqual(['multipath']);
    expect(paths(steps.get('backup'))).toEqual(['subflow-priority c2']);
    expect(paths(steps.get('nobackup'))).toEqual(['subflow-priority c2']);
    expect(paths(steps.get('link-down'))[0]).toBe('interface-down c2');
    expect(paths(steps.get('endpoint-delete'))).toContain('subflow-closed c2');
    expect(states(messages).at(-1)).toBe('idle');
    expect(messages.at(-1)?.type).toBe('closed');

    // The kernel's in-order bytes are the bytes that the application receives.
    const received = lines.flatMap((line) => ('received' in line ? [line.received] : []))[0] ?? 0;
    const batches = messages.flatMap((m) => (m.type === 'samples' ? [m.batch] : []));
    const inOrder = batches.flatMap((b) => b.connections.map((c) => c.inOrderBytes));
    expect(Math.max(...inOrder)).toBeGreaterThan(1_000_000);
    // A receive buffer (6 MB at most) may lie between the kernel's count and the application's.
    expect(Math.abs(Math.max(...inOrder) - received)).toBeLessThan(6 << 20);
    for (const batch of batches) {
      for (const { inOrderBytes, subflows } of batch.connections) {
        const sum = subflows.reduce((bytes, s) => bytes + s.bytesReceived, 0);
        if (subflows.length === 2) expect(sum).toBeGreaterThanOrEqual(inOrderBytes);
      }
    }
    const times = batches.map((batch) => batch.monotonicMs);
    expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
    // The kernel's values pass the schema with which the page validates them.
    for (const message of messages) expect(parseFeedDown(message)).toMatchObject({ ok: true });
  });

  privilegedIt('reads the sockets themselves where the kernel hides subflows', async () => {
    const lines = (await runPrivately(
      'src/transport/testing/feed-scenario.ts',
      'processes',
    )) as Line[];
    const steps = bySteps(lines);
    expect(paths(steps.get('connect'))).toEqual(['subflow-established c1']);
    expect(paths(steps.get('endpoint'))).toEqual(['subflow-established c2']);
    expect(states(steps.get('endpoint'))).toEqual(['multipath']);
  });

  privilegedIt(
    'reports that the kernel opens no MPTCP connections after one was dropped',
    async () => {
      const lines = (await runPrivately(
        'src/transport/testing/feed-scenario.ts',
        'blackhole',
      )) as Line[];
      const last = lines.flatMap((line) =>
        'type' in line && line.type === 'status' ? [line] : [],
      );
      expect(last.at(-1)?.status).toMatchObject({
        state: 'fallback',
        reason: expect.stringContaining('sysctl -w net.mptcp.blackhole_timeout=3600') as string,
      });
    },
  );

  privilegedIt('reports that a server without MPTCP made the connection fall back', async () => {
    const lines = (await runPrivately('src/transport/testing/feed-scenario.ts', 'plain')) as Line[];
    const steps = bySteps(lines);
    expect(states(steps.get('connect'))).toContain('fallback');
    const connections = lines
      .filter(isMessage)
      .flatMap((m) => (m.type === 'samples' ? m.batch.connections : []));
    expect(new Set(connections.map((c) => c.kind))).toEqual(new Set(['fallback']));
    // The scenario waits for 500 kB at the subflow, whose counter is read an instant later than the connection's.
    expect(Math.max(...connections.map((c) => c.inOrderBytes))).toBeGreaterThan(400_000);
  });
});
