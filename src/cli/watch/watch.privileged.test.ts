import { describe, expect } from 'vitest';
import { privilegedIt, runPrivately } from '../../kernel/testing/private-network';
import type { WatchFrame } from './model';

interface Captured {
  text: string;
  status: number;
}

describe('watch over two real paths', () => {
  privilegedIt('shows the connection, its owner and both subflows', async () => {
    const lines = await runPrivately('src/cli/watch/testing/watch-scenario.ts');
    const all = Object.assign({}, ...lines) as Record<
      'json' | 'text' | 'other' | 'absent',
      Captured
    > & {
      pid: number;
    };
    const frame = JSON.parse(all.json.text) as WatchFrame;
    expect(all.json.status).toBe(0);
    expect(frame.problem).toBeNull();
    expect(frame.connections).toHaveLength(1);
    const [connection] = frame.connections;
    expect(connection?.process?.pid).toBe(all.pid);
    expect(connection?.kind).toBe('mptcp');
    expect(connection?.inOrderBps).toBeGreaterThan(1e6);
    expect(connection?.subflows.map((s) => [s.pathId, s.state])).toEqual([
      ['c1', 'active'],
      ['c2', 'active'],
    ]);
    const shares = connection?.subflows.map((s) => s.share) ?? [];
    expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1);
    for (const share of shares) expect(share).toBeGreaterThan(0.1);

    expect(all.text.text).toMatch(
      /node \(\d+\) {2}to 10\.0\.1\.1:8080 .* Mbit\/s in order {2}out of order /,
    );
    expect(all.text.text).toMatch(/^ {2}c2 +active /m);

    // The server's side, in its own namespace, with names of its own interfaces.
    const other = JSON.parse(all.other.text) as WatchFrame;
    expect(other.connections[0]?.subflows[0]?.pathId).toMatch(/^s[12]/);

    expect(all.absent.text).toMatch(/nowhere.*ip netns list/);
  });
});
