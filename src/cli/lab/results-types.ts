import type { Results } from '../../report';

export interface WriteResultsOptions {
  /** Told what could not be read or was left out; also in `Results.warnings`. */
  onWarning?: (text: string) => void;
}

/**
 * Reads the folders of runs (layout: src/scenario/run.ts) and writes `results.json`, `results.csv`, `comparison.csv` and
 * `report.html` to `outDir`, which is made where it is missing. Trials that failed, were cut off or are missing are
 * told and left out of the statistics.
 * @throws CliError when no folder holds a `run.json`, or `outDir` cannot be written
 */
export type WriteResults = (
  runDirs: readonly string[],
  outDir: string,
  options?: WriteResultsOptions,
) => Promise<Results>;
