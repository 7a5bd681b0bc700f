import path from 'node:path';

/** Default folder of a run. */
export function defaultRunDir(now: Date): string {
  return path.resolve('runs', now.toISOString().replace(/[:.]/g, '-').slice(0, 19));
}
