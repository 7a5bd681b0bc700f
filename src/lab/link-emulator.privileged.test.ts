import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { emulatorLineSchema, type EmulatorDirectionStats } from './emulator-protocol';
import { median } from '../core';
import type { LinkOptions } from './link-emulator-options';
import type { TraceStep } from '../scenario';
import { isNightly, reasonToSkip, runFixture } from './testing/sandboxed';

const reason = await reasonToSkip();
const title = reason === undefined ? 'emulated link' : `emulated link (skipped: ${reason})`;

const resultSchema = v.object({
  samples: v.array(v.object({ monotonicUs: v.number(), links: v.array(v.unknown()) })),
  lightDelaysMs: v.array(v.number()),
});

interface Sample {
  atMs: number;
  ba: EmulatorDirectionStats;
}

interface Result {
  /** Every half second, of the bulk flows' direction. */
  samples: Sample[];
  lightDelaysMs: number[];
}

const PLAIN = { rateBps: 8_000_000, delayMs: 10, lossRatio: 0, queueBytes: 400_000, seed: 1 };

async function emulate(input: {
  link?: Partial<LinkOptions>;
  trace?: TraceStep[];
  seconds: number;
  flows: number;
  light?: boolean;
}): Promise<Result> {
  const link = { ...PLAIN, ...input.link };
  const printed = v.parse(resultSchema, await runFixture('emulate', { ...input, link }));
  const samples = printed.samples.flatMap((sample): Sample[] => {
    const line = v.parse(emulatorLineSchema, { type: 'sample', ...sample });
    const stats = line.type === 'sample' ? line.links[0] : undefined;
    return stats === undefined ? [] : [{ atMs: sample.monotonicUs / 1000, ba: stats.ba }];
  });
  return { samples, lightDelaysMs: printed.lightDelaysMs };
}

/** Median of the mean queue delays after slow start. */
function settledMs({ samples }: Result): number {
  return median(samples.slice(6).map(({ ba }) => (ba.queueDelayMeanUs ?? NaN) / 1000)) ?? NaN;
}

/** Output rate in bits per second between two samples. */
function rateBetween(from: Sample | undefined, to: Sample | undefined): number {
  if (from === undefined || to === undefined) return Number.NaN;
  return ((to.ba.outBytes - from.ba.outBytes) * 8) / ((to.atMs - from.atMs) / 1000);
}

/** The unit tests of the link emulator cover all of them too. */
const disciplines = isNightly
  ? (['pie', 'codel', 'fq_pie', 'fq_codel'] as const)
  : (['fq_pie'] as const);

describe.skipIf(reason !== undefined)(title, () => {
  it.each(disciplines)(
    '%s holds bulk TCP near its target, where droptail fills its queue',
    async (discipline) => {
      const result = await emulate({
        link: { queue: { discipline, targetMs: 15 } },
        seconds: 12,
        flows: 2,
      });
      const droptailMs = (PLAIN.queueBytes * 8 * 1000) / PLAIN.rateBps;
      expect(settledMs(result)).toBeGreaterThan(2);
      expect(settledMs(result)).toBeLessThan(droptailMs / 2);
      expect(rateBetween(result.samples[6], result.samples.at(-1))).toBeGreaterThan(
        0.1 * PLAIN.rateBps,
      );
      expect(result.samples.at(-1)?.ba.queueDrops).toBeGreaterThan(0);
    },
  );

  it('isolates a light flow from a bulk flow’s queue with FQ, but not with droptail', async () => {
    const run = (link: Partial<LinkOptions>): Promise<Result> =>
      emulate({ link, seconds: 8, flows: 4, light: true });
    const shared = await run({});
    const fair = await run({ queue: { discipline: 'fq_pie' } });
    expect(fair.lightDelaysMs.length).toBeGreaterThan(40);
    // 10 ms of propagation each; the rest is queueing, including the machine's.
    const waited = (result: Result): number => (median(result.lightDelaysMs.slice(40)) ?? NaN) - 10;
    expect(waited(shared)).toBeGreaterThan(30);
    expect(waited(fair)).toBeLessThan(waited(shared) / 2);
  });

  it('follows a trace: each rate in turn, nothing while it is 0', async () => {
    const trace = [
      { durationMs: 4_000, rateBps: 8_000_000 },
      { durationMs: 2_000, rateBps: 0 },
      { durationMs: 4_000, rateBps: 2_000_000 },
    ];
    const { samples } = await emulate({
      link: { ba: { trace: { name: 't' } } },
      trace,
      seconds: 11,
      flows: 3,
    });
    const inStep = (rateBps: number): Sample[] =>
      samples.filter(({ ba }) => ba.rateBps === rateBps);
    // The rate is constant only between samples well inside a step.
    const steady = (steps: readonly Sample[]): number => rateBetween(steps.at(-5), steps.at(-1));
    const fast = inStep(8_000_000).filter(({ atMs }) => atMs < (inStep(0)[0]?.atMs ?? 0));
    // Senders on a busy machine do not fill the link: only the upper bounds are exact.
    expect(steady(fast) / 8_000_000).toBeGreaterThan(0.1);
    expect(steady(fast) / 8_000_000).toBeLessThan(1.05);
    expect(rateBetween(inStep(0)[1], inStep(0).at(-1))).toBe(0);
    expect(steady(inStep(2_000_000)) / 2_000_000).toBeGreaterThan(0.1);
    expect(steady(inStep(2_000_000)) / 2_000_000).toBeLessThan(1.05);
  });

  it('marks packets of ECN senders, and loses everything in a scheduled outage', async () => {
    const { samples } = await emulate({
      link: {
        queue: { discipline: 'codel', ecn: true },
        outages: { outages: [{ atMs: 6_000, durationMs: 1_500 }] },
      },
      seconds: 9,
      flows: 1,
    });
    const last = samples.at(-1)?.ba;
    expect(last?.queueMarks).toBeGreaterThan(0);
    expect(last?.queueDrops).toBeLessThan(last?.queueMarks ?? 0);
    expect(samples.some(({ ba }) => ba.isOut)).toBe(true);
    expect(last?.isOut).toBe(false);
    expect(last?.stateDrops).toBeGreaterThan(0);
  });
});
