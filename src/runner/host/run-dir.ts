import path from 'node:path';

/** Names the folder of a run to the same command inside the sandbox. */
export const OUT_DIR_VARIABLE = 'MULTIPATH_DASH_RUN_DIR';

/** Default folder of a run. */
export function defaultRunDir(now: Date): string {
  return path.resolve('runs', now.toISOString().replace(/[:.]/g, '-').slice(0, 19));
}
