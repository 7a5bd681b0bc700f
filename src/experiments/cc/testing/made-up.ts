import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { ExperimentOptions, ExperimentReport } from '../../types';
import { ccExperiment } from '../experiment';
import type { CcJob, CcOutcome } from '../job';
import { paperValue } from '../paper';
import type { CcResult } from '../values';

export const shipped = (path: string): string =>
  readFileSync(fileURLToPath(new URL(`../../../../scenarios/${path}`, import.meta.url)), 'utf8');

export const options: ExperimentOptions = { quick: true, seed: 1, trials: 3, read: shipped };

/** Invented outcomes of the quick plan: all quantities of Table 3 from one number per pair. */
export function madeUp(throughput: (job: CcJob) => number): CcResult[] {
  return ccExperiment.plan(options).map((job) => {
    const value = throughput(job) + job.trial / 1000;
    const path = { srttMeanMs: value, srttMaxMs: value, dropsPerSecond: value, dropRatio: 0 };
    return {
      job,
      outcome: {
        ...{ protocolMeanMs: value, protocolMaxMs: value, holMeanMs: value, holMaxMs: value },
        ...{ goodputMeanBps: value * 1e6, goodputMaxBps: value * 1e6, paths: [path, path] },
      },
    };
  });
}

/** An outcome of 1 in every quantity but throughput. */
export function levelOutcome(goodputMeanBps: number, goodputMaxBps: number): CcOutcome {
  const path = { srttMeanMs: 1, srttMaxMs: 1, dropsPerSecond: 1, dropRatio: 0 };
  return {
    ...{ protocolMeanMs: 1, protocolMaxMs: 1, holMeanMs: 1, holMaxMs: 1 },
    ...{ goodputMeanBps, goodputMaxBps, paths: [path, path] },
  };
}

/** The paper's own values. */
export const asPaper = ({ control }: CcJob): number =>
  control.kind === 'pair' ? (paperValue('goodputMean', control.coupled, control.path) ?? 0) : 1;

export const tableOf = (
  { tables }: ExperimentReport,
  title: string,
): ExperimentReport['tables'][0]['rows'] => tables.find((one) => one.title === title)?.rows ?? [];
