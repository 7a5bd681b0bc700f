import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { ExperimentOptions } from '../../experiments';
import { shippedScenarios } from '../../runner/scenarios';

/** Options that a run's record keeps. */
export type ExperimentRunOptions = Omit<ExperimentOptions, 'read'>;

/** Reads a file below `scenarios/`. @throws Error for a path outside of it */
export function readShipped(file: string): string {
  const root = shippedScenarios();
  const whole = path.resolve(root, file);
  if (!whole.startsWith(`${root}${path.sep}`)) throw new Error(`${file} is outside of ${root}`);
  return readFileSync(whole, 'utf8');
}
