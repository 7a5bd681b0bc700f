import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { MptcpPlusKernelJob, SessionOutcome } from './jobs';
import { mptcpPlusKernelExperiment } from './kernel';
import { KERNEL_SYSTEMS } from './variants';

const shipped = (path: string): string =>
  readFileSync(fileURLToPath(new URL(`../../../scenarios/${path}`, import.meta.url)), 'utf8');
const options = { quick: false, seed: 4, trials: 3, read: shipped };
const jobs = mptcpPlusKernelExperiment.plan(options);
const rising = (from: number): number[] => Array.from({ length: 21 }, (_, i) => from + i);

/** Values that grow with the ratio and with `share`, and differ from trial to trial by a thousandth. */
function played(
  share: (job: MptcpPlusKernelJob) => number,
): { job: MptcpPlusKernelJob; outcome: SessionOutcome }[] {
  return jobs.map((job) => {
    const good = share(job) * (1 + job.ratio) * (1 + job.trial / 1000);
    const outcome: SessionOutcome = {
      ...{ kind: 'session', bitrateBps: 1e6 * good, switches: 20 / good, outageMs: 0, qoe: good },
      ...{ slowShare: 0.3 / good, delaysMs: rising(800 / good), speedsBps: rising(1e6 * good) },
    };
    return { job, outcome };
  });
}
const plusIsBest = ({ variant }: MptcpPlusKernelJob): number => (variant === 'mptcp-plus' ? 2 : 1);

describe('MPTCP+ in the lab', () => {
  it('plays each system at three ratios, and plain MPTCP at those of Fig. 6 too', () => {
    const one = jobs.filter(({ trial }) => trial === 2);
    expect(one).toHaveLength(3 * KERNEL_SYSTEMS.length + 2);
    expect(one.filter(({ ratio }) => ratio === 0.6).map(({ variant }) => variant)).toEqual([
      'mptcp',
    ]);
    expect(new Set(jobs.map(({ key }) => key)).size).toBe(jobs.length);
    expect(new Set(one.map(({ seed }) => seed))).toEqual(new Set([5]));
    // The statements are about MPTCP and MPTCP+, so these have more trials.
    const further = jobs.filter(({ trial }) => trial > 3);
    expect(further).toHaveLength(9 * (3 * 2 + 2));
    expect(new Set(further.map(({ variant }) => variant))).toEqual(
      new Set(['mptcp', 'mptcp-plus']),
    );
    // A run that ends early has whole trials.
    expect(jobs.map(({ trial }) => trial)).toEqual(
      jobs.map(({ trial }) => trial).sort((a, b) => a - b),
    );
  });

  it('has the server and the rule of each system in its scenario', () => {
    for (const { scenario, player, variant, ratio } of jobs) {
      const spec = scenario.players.find(({ id }) => id === player);
      const isOurs = variant === 'client-ours' || variant === 'ranges';
      expect([spec?.abr, spec?.correction]).toEqual(
        isOurs ? ['multipath', true] : ['throughput-2016', false],
      );
      const isPlus = variant === 'mptcp-plus';
      expect(scenario.server.pathUse !== undefined).toBe(isPlus);
      const controls = scenario.topology.nodes.map(({ congestionControl }) => congestionControl);
      expect(controls).toContain(isPlus ? 'mpd_mcc' : 'mpd_lia');
      expect(scenario.durationMs).toBe(60_000);
      const [fast = 0, slow = 0] = ['fast', 'slow'].map(
        (path) => scenario.topology.links.find(({ id }) => id === path)?.ba.rateBps ?? 0,
      );
      expect(slow / fast).toBeCloseTo(ratio, 2);
      expect((fast + slow) / 2e3).toBeCloseTo(1500, -1);
    }
  });

  it('agrees if MPTCP+ is better everywhere, and the wider the paths differ the worse MPTCP is', () => {
    const { claims } = mptcpPlusKernelExperiment.report(played(plusIsBest), options);
    expect(claims.map(({ place, agrees }) => [place, agrees])).toEqual([
      ['Fig. 6, 1500 kbit/s on average', true],
      ['Fig. 6, 1500 kbit/s on average', true],
      ['Fig. 7', true],
      ['Fig. 7', true],
      ['Fig. 8', true],
      ['Fig. 8', true],
      // The gain in kbit/s grows with the ratio; in percent it is the same.
      ['Fig. 8a', false],
      ['Fig. 8a', false],
      ['Section IV-B', true],
      ['Section IV-B', true],
      ['Conclusion, path use', true],
      ['Conclusion, path use', true],
      ['Conclusion', true],
      ['Abstract', true],
      // Nothing stalls.
      ['Section II-A', false],
    ]);
    expect(claims[2]?.ours).toContain('12 trials');
  });

  it('leaves panels without a positive QoE out of the gain in percent, and says so', () => {
    const results = played(plusIsBest).map(({ job, outcome }) => ({
      job,
      outcome: job.ratio === 0.2 && job.variant === 'mptcp' ? { ...outcome, qoe: -1 } : outcome,
    }));
    const { claims } = mptcpPlusKernelExperiment.report(results, options);
    expect(claims.find(({ place }) => place === 'Abstract')?.ours).toMatch(
      /^at best by 100 .*; without 1500 kbit\/s, C1\/C2 0\.2, where MPTCP's QoE is not above 0$/,
    );
  });

  it('has a figure for each ratio, and is undecided without sessions', () => {
    const { figures, tables } = mptcpPlusKernelExperiment.report(played(plusIsBest), options);
    expect(figures).toHaveLength(1 + 2 * 3);
    expect(figures[0]?.series[0]?.points.map(({ x }) => x)).toEqual([0.2, 0.5, 0.6, 0.7, 0.8]);
    expect(figures.every(({ series }) => series.every(({ points }) => points.length > 0))).toBe(
      true,
    );
    expect(tables.map(({ rows }) => rows.length)).toEqual([3 * 6, 3 * 4]);
    const none = mptcpPlusKernelExperiment.report([], options);
    expect(none.claims.every(({ agrees }) => agrees === null)).toBe(true);
    expect(JSON.stringify(none.claims)).not.toMatch(/Infinity|NaN/);
  });
});
