import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { ccKernelExperiment, type CcJob, type CcOutcome } from '../../experiments';
import { listCoupledControls } from '../../lab';
import { reasonToSkip } from '../../lab/testing/sandboxed';
import { startKernelRuns } from './kernel-runs';

const reason =
  process.getuid?.() === 0 ? await reasonToSkip() : 'needs root to load congestion controls';
const title = `experiment cc in the kernel${reason === undefined ? '' : ` (skipped: ${reason})`}`;

const shipped = (path: string): string =>
  readFileSync(fileURLToPath(new URL(`../../../scenarios/${path}`, import.meta.url)), 'utf8');
const program = fileURLToPath(new URL('testing/measure.ts', import.meta.url));

const loaded = async (): Promise<string[]> => {
  const controls = await listCoupledControls();
  return controls.filter(({ isLoaded }) => isLoaded).map(({ name }) => name);
};

describe.skipIf(reason !== undefined)(title, () => {
  it('measures a pair over both paths, and unloads every control', async () => {
    const before = await loaded();
    const jobs = ccKernelExperiment.plan({ quick: true, seed: 1, trials: 1, read: shipped });
    const job = jobs.find(({ key }) => key === 'lia+cubic 1');
    const runs = await startKernelRuns([process.execPath, '--import', 'tsx', program]);
    try {
      expect(await loaded()).toContain('mpd_lia_ct');
      const short: CcJob | undefined = job === undefined ? undefined : { ...job, durationMs: 3000 };
      const outcome = (await runs.run({ job: short })) as CcOutcome;
      // Both paths carry 12 Mbit/s in the mean; the coupled control keeps the sum to about one of them.
      expect(outcome.goodputMeanBps).toBeGreaterThan(2e6);
      expect(outcome.goodputMeanBps).toBeLessThan(24e6);
      // Without queues, 70 and 48 ms.
      const [path1, path2] = outcome.paths;
      expect(path1?.srttMeanMs).toBeGreaterThan(60);
      expect(path2?.srttMeanMs).toBeGreaterThan(40);
      expect(path2?.srttMeanMs).toBeLessThan(path1?.srttMeanMs ?? 0);
      expect(outcome.protocolMeanMs).toBeGreaterThan(path2?.srttMeanMs ?? Infinity);
      expect(outcome.series?.goodputBps.length).toBeGreaterThan(20);
    } finally {
      await runs.end();
    }
    expect(await loaded()).toEqual(before);
  });
});
