import { describe, expect, it } from 'vitest';
import type { SessionJob } from './jobs';
import { by, made, report, verdicts } from './testing/made-up';
import { VARIANTS, type Variant } from './variants';

describe('report', () => {
  it('agrees if MPTCP+ is best, differs if it is worst', () => {
    const better = made(by('mptcp-plus'));
    expect(verdicts(better, 'Fig. 5')).toEqual([true, true, true, true]);
    // Both averages lose the same share.
    expect(verdicts(better, 'Fig. 6')).toEqual([true, true, true, true, false]);
    expect(verdicts(better, 'Fig. 7')).toEqual([true, true]);
    // The gain in kbit/s grows with the ratio; in percent it is the same everywhere.
    expect(verdicts(better, 'Fig. 8')).toEqual([true, true, false, false]);
    // One path carries as much as two.
    expect(verdicts(better, 'Abstract')).toEqual([false, true]);
    // The path use decision alone gains nothing, and all have the same number of switches.
    expect(verdicts(better, 'Conclusion')).toEqual([false, false, false, false]);
    expect(verdicts(made(by('pud-only')), 'Conclusion, path use')).toEqual([true, true]);
    // Nothing stalls.
    expect(verdicts(better, 'Section II-A')).toEqual([false]);
    const worse = made(by('mptcp'), [1e5, 2e6]);
    expect(verdicts(worse, 'Fig. 5')[0]).toBe(false);
    expect(verdicts(worse, 'Fig. 7')).toEqual([false, false]);
    expect(verdicts(worse, 'Fig. 8')).toEqual([false, false, false, false]);
    expect(verdicts(worse, 'Abstract')).toEqual([true, false]);
  });

  it('tells the panels in which a statement holds from those in which it does not', () => {
    const slower = ({ variant, averageKbps, ratio, seed }: SessionJob): number => {
      const isWorse = variant === 'mptcp-plus' && averageKbps === 1500 && ratio === 0.5;
      return (isWorse ? 0.9 : variant === 'mptcp-plus' ? 3 : 1) + seed / 1e3;
    };
    const [pooled, each] = report(made(slower)).claims.filter(({ place }) => place === 'Fig. 7');
    expect([pooled?.agrees, each?.agrees]).toEqual([true, false]);
    expect(each?.ours).toContain('not at 1500 kbit/s, C1/C2 0.5; undecided at none');
  });

  it('takes the spread between panels for no chance, because the panels are chosen', () => {
    const mixed = ({ variant, ratio, seed }: SessionJob): number =>
      (variant === 'mptcp-plus' ? ({ 0.2: 2, 0.5: 0.8, 0.8: 0.8 }[ratio] ?? 1) : 1) + seed / 1e3;
    const [pooled] = report(made(mixed)).claims.filter(({ place }) => place === 'Fig. 8');
    // 100, -20 and -20 % more, in every trial.
    expect(pooled?.ours).toMatch(/^19\.\d \(19\.\d to 20\.\d\), 5 trials/);
    expect(pooled?.agrees).toBe(true);
  });

  it('judges bitrates above C1/C2 of 0.6 apart from each step', () => {
    const steps = ({ ratio, seed }: SessionJob): number => (ratio > 0.6 ? 2 : 1) + seed / 1e3;
    // At 0.8 they are not better than at 0.7.
    expect(verdicts(made(steps), 'Fig. 6, 500')).toEqual([false, true]);
  });

  it('judges whether the slow path is disabled, and the oscillations under MCC alone', () => {
    const changed = (slowAt: readonly number[], calm: Variant): ReturnType<typeof made> =>
      made(by('mptcp')).map(({ job: one, outcome }) => {
        if (one.kind !== 'session' || outcome.kind !== 'session') return { job: one, outcome };
        const isOut = one.variant === 'mptcp-plus' && slowAt.includes(one.ratio);
        const slowShare = (isOut ? 0.01 : 0.3) + one.seed / 1e4;
        const switches = (one.variant === calm ? 5 : 50) + one.seed;
        return { job: one, outcome: { ...outcome, slowShare, switches } };
      });
    expect(verdicts(changed([0.2, 0.5], 'mcc-only'), 'Section IV-B')).toEqual([true, true]);
    // Above rho both paths stay in use, so 0.8 does not count.
    expect(verdicts(changed([0.8], 'mcc-only'), 'Section IV-B')).toEqual([false, false]);
    expect(verdicts(changed([], 'mcc-only'), 'Conclusion, MCC')).toEqual([true]);
    expect(verdicts(changed([], 'mptcp-plus'), 'Conclusion, MCC')).toEqual([false]);
    const [mcc] = report(changed([], 'mptcp-plus')).claims.filter(
      ({ place }) => place === 'Conclusion, MCC',
    );
    // A part in place of MPTCP+ says nothing about MCC alone.
    expect(mcc?.why).toBeUndefined();
  });

  it('finds the largest gain where the paper has it', () => {
    const largest = ({ variant, averageKbps, ratio, seed }: SessionJob): number => {
      const gain = averageKbps === 1500 && ratio === 0.2 ? 3 : 1;
      return (variant === 'mptcp-plus' ? 1 + gain : 1) + seed / 1e3;
    };
    expect(verdicts(made(largest), 'Fig. 8a')).toEqual([true, true]);
  });

  it('pairs gains by their trials, also where a panel lacks one', () => {
    const largest = ({ variant, averageKbps, ratio, seed }: SessionJob): number => {
      const gain = averageKbps === 1500 && ratio === 0.2 ? 3 : 1;
      return variant === 'mptcp-plus' ? 1 + gain * seed : 1;
    };
    const some = made(largest).filter(
      ({ job }) => job.kind !== 'session' || job.seed !== 1 || job.averageKbps !== 500,
    );
    const [claim] = report(some).claims.filter(({ place }) => place === 'Fig. 8a');
    expect([claim?.agrees, claim?.ours]).toEqual([true, expect.stringContaining('5 pairs')]);
  });

  it('finds stalls over paths far apart', () => {
    const stalled = made(by('mptcp')).map(({ job: one, outcome }) => ({
      job: one,
      outcome:
        one.kind === 'session' && one.ratio === 0.2 && outcome.kind === 'session'
          ? { ...outcome, outageMs: 900 + one.seed }
          : outcome,
    }));
    expect(verdicts(stalled, 'Section II-A')).toEqual([true]);
  });

  it('judges MCC’s windows, and each reading of its theta', () => {
    const results = made(by('mptcp-plus'));
    // Calmer than LIA; not calmer than theta = 1; per round trip more restless.
    const verdict = [true, false, false];
    expect(verdicts(results, 'Section III-B')).toEqual([...verdict, ...verdict, ...verdict]);
    // The sum varies as much as the fast path's window.
    expect(verdicts(results, 'Section II-B')).toEqual([false]);
    const [, perAck, perRound] = report(results).claims.filter(
      ({ place }) => place === 'Section III-B, paths of Fig. 4',
    );
    expect(perAck?.why).toMatch(
      /^Theta is below 1 at 0\.00 % of the reductions, so that no loss is smoothed, and at 15 % of the acknowledgements; with theta = 1 the difference from LIA is -0\.200 /,
    );
    expect(perRound?.why).toMatch(/^Theta is below 1 at 95\.00 % of the reductions/);
    const rarely = results.map(({ job: one, outcome }) => ({
      job: one,
      outcome:
        outcome.kind === 'windows' && outcome.smoothedReductions === 0
          ? { ...outcome, smoothedReductions: 0.004 }
          : outcome,
    }));
    const why = report(rarely).claims.find(({ paper }) => paper === perAck?.paper)?.why;
    expect(why).toMatch(/^Theta is below 1 at 0\.40 % of the reductions, so that hardly a loss is/);
    expect(verdicts(results, 'Fig. 2')).toEqual([true, true]);
  });

  it('names the part of MPTCP+ without which a statement agrees', () => {
    const results = made(
      ({ variant, seed }) => (variant === 'mptcp' || variant === 'mptcp-plus' ? 1 : 2) + seed / 1e3,
    );
    const why = report(results).claims.find(({ place }) => place.startsWith('Fig. 8'))?.why;
    expect(why).toMatch(/^With MCC alone, without the path use decision it agrees: /);
    const fig5 = report(made(by('mptcp'), [1e5, 2e6])).claims.find(({ place }) =>
      place.startsWith('Fig. 5'),
    );
    expect(fig5?.why).toBe('It differs still with each of: queues of 15 kB in place of 60 kB.');
  });

  it('differs if MPTCP+ changes nothing', () => {
    const same = made(({ seed }) => 1 + seed / 1e3);
    expect(verdicts(same, 'Fig. 6')).toEqual([false, false, false, false, false]);
    expect(verdicts(same, 'Fig. 7')).toEqual([false, false]);
    expect(verdicts(same, 'Fig. 8').slice(0, 2)).toEqual([false, false]);
    expect(verdicts(same, 'Abstract')).toEqual([false, false]);
  });

  it('is undecided without runs, and has every table and figure', () => {
    expect(report([]).claims.every(({ agrees }) => agrees === null)).toBe(true);
    const { figures, tables } = report(made(by('client-ours')));
    expect(figures).toHaveLength(2 + 4 + 2 + 1 + 2 + 2 * 6);
    expect(figures.every(({ series }) => series.every(({ points }) => points.length > 0))).toBe(
      true,
    );
    expect(tables.map(({ rows }) => rows.length)).toEqual([
      6 * VARIANTS.length,
      6 * 3,
      2 * 8,
      4 * 4,
    ]);
    for (const { columns, rows } of tables) {
      expect(rows.every((row) => row.length === columns.length)).toBe(true);
    }
  });
});
