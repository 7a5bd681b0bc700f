import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { LogEvent } from '../../session-log';
import { stickyKernelExperiment } from './kernel';
import {
  BEST_PATH,
  FLOW_PATHS,
  KERNEL_PLAYERS,
  SINGLE_BEST,
  stickyKernelOutcome,
  type StickyKernelJob,
  type StickyKernelOutcome,
} from './kernel-job';

const shipped = (path: string): string =>
  readFileSync(fileURLToPath(new URL(`../../../scenarios/${path}`, import.meta.url)), 'utf8');
const options = { quick: false, seed: 1, trials: 4, read: shipped };
const planned = stickyKernelExperiment.plan(options);
const jobs = planned.filter(({ ablation }) => ablation === undefined);

/** The paper's order in base and 3p-50; the rules save nothing in 3p-150. */
function asInThePaper({ place, player, trial }: StickyKernelJob): StickyKernelOutcome {
  const rule = player.replace(/^(mptcp|ranges)-/, '');
  const isPlain = player === 'mptcp' || player === 'ranges';
  const far = place === '3p-150';
  const fewer: Readonly<Record<string, number>> = {
    'gr-sty': 6,
    'tp-sty': 8,
    'tr-sty': place === 'base' ? 20 : 14,
  };
  const more = place === 'base' ? 0 : 10;
  const stalls = (isPlain || far ? 20 : (fewer[rule] ?? 5)) + more;
  const pathSwitches = { 'gr-sty': 10, 'tp-sty': 20, 'tr-sty': 30 }[rule] ?? 0;
  return {
    ...{ bitrateBps: 1e6, rungSwitches: 3, stallMs: 4000, startDelayMs: 900 },
    stalls: stalls + trial / 100,
    qoe: 1 - stalls / 10 + trial / 1000,
    pathSwitches: pathSwitches + trial / 100,
    flowsBps: isPlain ? [1.5e6, 1e6, 1e6 + trial] : [1e6, 1e6, 1.5e6 + trial],
  };
}
const reportOf = (
  of: (job: StickyKernelJob) => StickyKernelOutcome,
): ReturnType<typeof stickyKernelExperiment.report> =>
  stickyKernelExperiment.report(
    jobs.map((job) => ({ job, outcome: of(job) })),
    options,
  );

describe('the rules in the lab', () => {
  it('play each scenario with every rule over both carriages, all paths and one path', () => {
    const players = [
      ...Object.values(KERNEL_PLAYERS).flatMap(Object.values<string>),
      SINGLE_BEST,
      BEST_PATH,
    ];
    for (const place of ['base', '3p-50', '3p-150']) {
      const one = jobs.filter((job) => job.place === place && job.trial === 3);
      expect(one.map(({ player }) => player).sort()).toEqual([...players].sort());
      expect(new Set(one.map(({ seed }) => seed))).toEqual(new Set([3]));
    }
    expect(new Set(planned.map(({ key }) => key)).size).toBe(planned.length);
    const [{ scenario } = { scenario: undefined }] = jobs;
    expect(scenario?.topology.paths.map(({ id }) => id)).toEqual(FLOW_PATHS);
    expect(scenario?.durationMs).toBe(60_000);
  });

  it('agree where they do as the paper says, over both carriages', () => {
    const { claims } = reportOf(asInThePaper);
    const over = (isRanges: boolean): (boolean | null)[] =>
      claims
        .filter(({ place }) => place.endsWith('byte ranges') === isRanges)
        .map(({ agrees }) => agrees);
    expect(over(false)).toEqual(Array<boolean>(14).fill(true));
    // Path switches are counted over MPTCP only.
    expect(over(true)).toEqual(Array<boolean>(11).fill(true));
  });

  it('differ where all do the same, and are undecided without sessions', () => {
    const same = reportOf(({ trial }) => ({
      ...{ bitrateBps: 1e6, rungSwitches: 3, stallMs: 4000, startDelayMs: null, qoe: null },
      ...{ stalls: 20 + trial / 100, pathSwitches: 9, flowsBps: [1e6, 1e6, 1e6] },
    })).claims;
    const similar = same.filter(({ paper }) => paper.includes('similar'));
    expect(similar.every(({ agrees }) => agrees === true)).toBe(true);
    const others = same.filter(({ paper }) => !paper.includes('similar'));
    expect(others.some(({ agrees }) => agrees === true)).toBe(false);
    const none = stickyKernelExperiment.report([], options);
    expect(none.claims.every(({ agrees }) => agrees === null)).toBe(true);
  });

  it('have a row each, their lead in QoE, and a figure for each scenario', () => {
    const { tables, figures } = reportOf(asInThePaper);
    expect(tables.map(({ rows }) => rows.length)).toEqual([3 * 10, 3 * 6, 0]);
    for (const { columns, rows } of tables) {
      expect(rows.every((row) => row.length === columns.length)).toBe(true);
    }
    const greedy = tables[1]?.rows[0];
    expect(greedy?.slice(0, 2)).toEqual(['base', 'MPTCP, GR-STY']);
    expect((greedy?.[2] as { mean: number }).mean).toBeCloseTo(1.4, 9);
    expect(figures.map(({ series }) => series.map(({ points }) => points.length))).toEqual(
      Array<number[]>(3).fill([4, 4]),
    );
  });

  it('are measured from the log of a session', () => {
    const events: LogEvent[] = [
      { type: 'stall', monotonicMs: 1000, phase: 'start', positionMs: 0 },
      { type: 'stall', monotonicMs: 1500, phase: 'end', positionMs: 0 },
    ] as unknown as LogEvent[];
    expect(stickyKernelOutcome(events)).toMatchObject({ qoe: null, flowsBps: [0, 0, 0] });
  });
});
