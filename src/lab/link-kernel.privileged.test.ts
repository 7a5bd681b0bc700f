import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { expandTopology, type DirectionSpec } from '../scenario';
import { checkKernelLinks } from './kernel-check';
import { reasonToSkip, runFixture } from './testing/sandboxed';

const reason = await reasonToSkip();
const title = reason === undefined ? 'kernel link' : `kernel link (skipped: ${reason})`;

const droptail = { discipline: 'droptail' } as const;
const limited = { rateBps: 6e6, delayMs: 0, queue: droptail, queueBytes: 60_000 };
const free = { delayMs: 0, queue: droptail };
function multihomed(down: DirectionSpec) {
  const access = (id: string) => ({ id, down, up: free });
  return { kind: 'multihomed', paths: [access('wifi'), access('lte')] } as const;
}

const networkSchema = v.object({
  carried: v.record(v.string(), v.object({ ba: v.number() })),
  results: v.array(v.object({ elapsedMs: v.number() })),
  left: v.string(),
});

const resultSchema = v.object({ rateBps: v.number(), drops: v.number(), refusal: v.string() });

describe.skipIf(reason !== undefined)(title, () => {
  it('holds its rate, and names the missing module of a qdisc', async () => {
    const result = v.parse(resultSchema, await runFixture('link-kernel'));
    // A sender on a busy machine does not fill the link.
    expect(result.rateBps / 4_000_000).toBeGreaterThan(0.1);
    expect(result.rateBps / 4_000_000).toBeLessThan(1.2);
    expect(result.drops).toBeGreaterThan(0);
    // A kernel with netem and fq_pie refuses nothing.
    expect(result.refusal).toMatch(/^$|^MODULE_MISSING backend kernel: this kernel has no sch_/);
  });

  it('carries a connection of a network over both of its paths', async () => {
    const transfer = { from: 'server', to: 'client', bytes: 3_000_000, mptcp: true };
    const result = v.parse(
      networkSchema,
      await runFixture('network', {
        source: multihomed(limited),
        options: { backend: 'kernel' },
        transfers: [transfer],
      }),
    );
    expect(result.carried['wifi']?.ba).toBeGreaterThan(500_000);
    expect(result.carried['lte']?.ba).toBeGreaterThan(500_000);
    expect(result.left).not.toMatch(/10\.7\d\.|mpdk/);
  });

  it('is checked before a run: first for features of the emulator only, then for this kernel’s modules', async () => {
    const topology = expandTopology(multihomed(limited));
    await expect(checkKernelLinks({ topology, events: [] })).resolves.toBeUndefined();
    const down = { atMs: 1, kind: 'link-state', link: 'lte', state: 'down' } as const;
    await expect(checkKernelLinks({ topology, events: [down] })).rejects.toThrow(/use blackhole/);
    const delayed = expandTopology(multihomed({ ...limited, delayMs: 10 }));
    // A kernel with netem refuses nothing.
    const refusal = await checkKernelLinks({ topology: delayed, events: [] }).catch(String);
    expect(refusal ?? '').toMatch(/^$|no sch_netem/);
  });
});
