import { existsSync, renameSync, rmSync } from 'node:fs';

/**
 * Moves a finished folder to its place: whole or not at all. Another run may have made the same meanwhile; its
 * folder stays.
 */
export function publish(work: string, folder: string): void {
  try {
    renameSync(work, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
    rmSync(work, { recursive: true, force: true });
  }
}
