import { describe, expect, it } from 'vitest';
import { full, MS, pickFrom, subflow } from '../testing/subflow-states';
import { connectPaths, fetchObjects } from '../testing/two-paths';
import { schedulers, type SchedulerName } from './schedulers';

const names = Object.keys(schedulers) as SchedulerName[];

/** Properties of all schedulers; each has a test of its own besides. */
describe.each(names)('%s', (name) => {
  const create = schedulers[name];

  it('is registered under its own name', () => {
    expect(create().name).toBe(name);
  });

  it('uses a backup only if no other subflow is alive', () => {
    const backup = subflow(0, { isBackup: true, srttNs: MS });
    expect(pickFrom(create(), [backup, subflow(1)])).toBe(1);
    expect(pickFrom(create(), [backup])).toBe(0);
    expect(pickFrom(create(), [backup, subflow(1, { isStale: true })])).toBe(0);
  });

  it('waits while every window is full', () => {
    const one = full(0, { pendingBytes: 40 * 1420 });
    const other = full(1, { pendingBytes: 40 * 1420, srttNs: 50 * MS });
    expect(pickFrom(create(), [one, other])).toBeUndefined();
  });

  it('completes a download over two different paths', () => {
    const paths = connectPaths(
      [
        { rateBps: 4e6, delayMs: 20 },
        { rateBps: 1e6, delayMs: 60, lossRatio: 0.005 },
      ],
      { createScheduler: create },
    );
    const { doneNs } = fetchObjects(paths, 500_000, 20e9);
    expect(doneNs.length).toBeGreaterThan(8);
  });
});
