import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { reasonToSkip, runFixture } from './testing/sandboxed';

const reason = await reasonToSkip();
const title = reason === undefined ? 'kernel link' : `kernel link (skipped: ${reason})`;

const resultSchema = v.object({ rateBps: v.number(), drops: v.number(), refusal: v.string() });

describe.skipIf(reason !== undefined)(title, () => {
  it('holds its rate, and names the module of a qdisc that is not there', async () => {
    const result = v.parse(resultSchema, await runFixture('link-kernel'));
    // The kernel counts Ethernet frames: 1514 bytes for each 1500.
    expect(result.rateBps / 4_000_000).toBeGreaterThan(0.9);
    expect(result.rateBps / 4_000_000).toBeLessThan(1.1);
    expect(result.drops).toBeGreaterThan(0);
    // Nothing to refuse where the kernel has netem and fq_pie.
    expect(result.refusal).toMatch(/^$|^MODULE_MISSING backend kernel: this kernel has no sch_/);
  });
});
