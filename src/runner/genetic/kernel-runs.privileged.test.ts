import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { geneticKernelExperiment, type StreamOutcome } from '../../experiments';
import { reasonToSkip } from '../../lab/testing/sandboxed';
import { startGeneticRuns } from './kernel-runs';

const reason = await reasonToSkip();
const title = `experiment genetic in the kernel${reason === undefined ? '' : ` (skipped: ${reason})`}`;

const program = fileURLToPath(new URL('testing/stream.ts', import.meta.url));
const read = (): string => {
  throw new Error('this experiment reads no file');
};

describe.skipIf(reason !== undefined)(title, () => {
  it('streams to five clients over the paths that the genetic selection chose', async () => {
    const jobs = geneticKernelExperiment.plan({ quick: true, seed: 1, trials: 1, read });
    const job = jobs.find(({ key }) => key === 'genetic/kernel/1');
    const runs = await startGeneticRuns([process.execPath, '--import', 'tsx', program]);
    try {
      const short = { ...job, joinMs: 1000, filmMs: 16_000 };
      const { clients } = (await runs.run({ job: short })) as StreamOutcome;
      expect(clients).toHaveLength(5);
      for (const { bitrateBps, subflows, outageMs } of clients) {
        expect(bitrateBps).toBeGreaterThanOrEqual(1500e3);
        expect(bitrateBps).toBeLessThanOrEqual(2600e3);
        expect(subflows).toBeGreaterThanOrEqual(1);
        expect(outageMs).toBeLessThan(16_000);
      }
      expect(Math.max(...clients.map(({ subflows }) => subflows))).toBeGreaterThan(1);
    } finally {
      await runs.end();
    }
  });
});
