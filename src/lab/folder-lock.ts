import { spawnSync } from 'node:child_process';
import { closeSync, constants, fchownSync, openSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { LabError } from './errors';

/** Other users cannot open it, so that none can hold the lock. */
const LOCK_FILE = '.lock';
/** Exit status of `flock -n` if another holds the lock. */
const IS_TAKEN = 1;

/**
 * Locks a folder for this process, unless another has it locked. The kernel releases the lock with the process, so no
 * lock is ever stale (flock(2)). The file of the lock stays: a process that waits may have it open.
 * @returns the release, or undefined
 * @throws the system's error if the folder cannot be written, LabError TOOL_MISSING
 */
export function tryLockFolder(folder: string): (() => void) | undefined {
  const { O_RDWR, O_CREAT, O_NOFOLLOW } = constants;
  const fd = openSync(join(folder, LOCK_FILE), O_RDWR | O_CREAT | O_NOFOLLOW, 0o600);
  giveToOwner(fd, folder);
  // The lock belongs to the open file, which this process shares with flock(1) and keeps.
  const { status, error, stderr } = spawnSync('flock', ['-n', '3'], {
    stdio: ['ignore', 'ignore', 'pipe', fd],
    encoding: 'utf8',
  });
  if (status === 0) return () => closeSync(fd);
  closeSync(fd);
  if (error) throw new LabError('TOOL_MISSING', 'flock is missing: apt-get install util-linux');
  if (status !== IS_TAKEN) throw new Error(`${folder} cannot be locked: ${stderr.trim()}`);
  return undefined;
}

/** Gives a lock file that root made to the folder's owner, who may lock the folder later. */
function giveToOwner(fd: number, folder: string): void {
  if (process.geteuid?.() !== 0) return;
  const { uid, gid } = statSync(folder);
  try {
    fchownSync(fd, uid, gid);
  } catch {
    // In a user namespace the owner may have no number of his own (user_namespaces(7)).
  }
}
