import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { reasonToSkip, runFixture } from '../testing/sandboxed';

const reason = await reasonToSkip();
const title = reason === undefined ? 'traffic' : `traffic (skipped: ${reason})`;

const resultSchema = v.looseObject({
  id: v.string(),
  outcome: v.picklist(['ok', 'failed']),
  error: v.optional(v.string()),
  goodputBps: v.optional(v.number()),
  files: v.array(v.string()),
});
const ranSchema = v.object({
  results: v.array(resultSchema),
  isSame: v.boolean(),
  failures: v.array(v.string()),
  texts: v.record(v.string(), v.string()),
  left: v.string(),
});

const webSchema = v.looseObject({
  requests: v.looseObject({ completed: v.number(), failed: v.number() }),
});

const bulk = { id: 'bulk', kind: 'ftp', from: 'other', to: 'here', startMs: 0, intensity: 2 };
const up = {
  id: 'up',
  kind: 'ftp',
  from: 'here',
  to: 'other',
  startMs: 0,
  intensity: 1,
  rateBps: 1e6,
};
const calls = {
  ...{ id: 'calls', kind: 'voip', from: 'here', to: 'other', startMs: 0, intensity: 3 },
  calls: { perSecond: 2, holdMs: 10_000, ports: 'each' },
};
const web = {
  id: 'web',
  kind: 'web',
  from: 'other',
  to: 'here',
  startMs: 0,
  intensity: 15,
  objectBytes: 5000,
};

async function run(input: object): Promise<v.InferOutput<typeof ranSchema>> {
  return v.parse(ranSchema, await runFixture('traffic', input));
}

describe.skipIf(reason !== undefined)(title, () => {
  it('runs transfers both ways, calls and web pages at once, and ends them all', async () => {
    const ran = await run({ seconds: 8, traffic: [bulk, up, calls, web] });
    const [bulkResult, upResult, callsResult, webResult] = ran.results;
    expect(ran.results.map(({ id, outcome, error }) => ({ id, outcome, error }))).toEqual(
      ['bulk', 'up', 'calls', 'web'].map((id) => ({ id, outcome: 'ok', error: undefined })),
    );
    // The link carries 8 Mbit/s; the other traffic needs little of it. A busy machine does not fill it.
    expect(bulkResult?.goodputBps).toBeGreaterThan(1e6);
    expect(bulkResult?.goodputBps).toBeLessThan(8e6);
    expect(upResult?.goodputBps).toBeLessThan(3e6);
    expect(callsResult).toMatchObject({ calls: { failed: 0 } });
    // Each concurrent call is a flow of its own.
    const rtp = (ran.texts['traffic/calls.rtp.out'] ?? '').trim().split('\n');
    expect(new Set(rtp.map((line) => /"port":(\d+)/.exec(line)?.[1])).size).toBe(3);
    // A busy machine opens connections late, and those that it never opened count as failed.
    const { requests } = v.parse(webSchema, webResult);
    expect(requests.completed).toBeGreaterThan(requests.failed);
    expect(ran.failures).toEqual([]);
    expect(ran.isSame).toBe(true);
    expect(Object.keys(ran.texts)).toContain('traffic/web.requests.tsv');
    expect(ran.left).not.toMatch(/iperf3|sipp|h2load|nginx/);
  });

  it('reports a program that is killed in mid-run, and keeps the others', async () => {
    const ran = await run({ seconds: 5, traffic: [bulk, calls], kill: 'iperf3' });
    expect(ran.results[0]).toMatchObject({
      outcome: 'failed',
      error: expect.stringContaining('SIGKILL') as string,
    });
    expect(ran.results[1]).toMatchObject({ outcome: 'ok' });
    expect(ran.failures).toEqual(['traffic bulk: a program ended by itself']);
  });

  it('measures the loss of RTP, over IPv6', async () => {
    const ran = await run({ seconds: 8, traffic: [calls], ipv6: true, lossRatio: 0.2 });
    const { rtp } = v.parse(v.object({ rtp: v.object({ lossRatio: v.number() }) }), ran.results[0]);
    expect(rtp.lossRatio).toBeGreaterThan(0.05);
    expect(rtp.lossRatio).toBeLessThan(0.4);
  });
});
