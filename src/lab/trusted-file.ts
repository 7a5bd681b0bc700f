import { readFileSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';

/** The running user, as numbers, and the visibility of file owners in this namespace. */
export interface Runner {
  uid: number;
  gid: number;
  /** Uid under which a user namespace shows every owner that it does not map; undefined outside of one. */
  unmappedUid?: number | undefined;
}

export const GROUP_WRITABLE = 0o020;
export const WORLD_WRITABLE = 0o002;
/** Only the owner of an entry may rename or remove it, as in /tmp. */
const STICKY = 0o1000;

/** All ids are mapped to themselves: no user namespace (user_namespaces(7)). */
const wholeMap = /^\s*0\s+0\s+4294967295\s*$/;

function unmappedUid(): number | undefined {
  try {
    if (wholeMap.test(readFileSync('/proc/self/uid_map', 'utf8'))) return undefined;
    return Number(readFileSync('/proc/sys/kernel/overflowuid', 'utf8'));
  } catch {
    return undefined;
  }
}

/** This process. */
export const currentRunner = (): Runner => ({
  uid: process.getuid?.() ?? -1,
  gid: process.getgid?.() ?? -1,
  unmappedUid: unmappedUid(),
});

function problemOf(place: string, isLeaf: boolean, runner: Runner): string | undefined {
  const { uid, gid, mode } = statSync(place);
  if (![0, runner.uid, runner.unmappedUid].includes(uid)) return `${place} belongs to user ${uid}`;
  if (!isLeaf && (mode & STICKY) !== 0) return undefined;
  if ((mode & WORLD_WRITABLE) !== 0) return `${place} can be written by everybody`;
  // Many systems give each user a group of their own, and make files writable for it.
  const isOwnGroup = gid === runner.gid || gid === 0;
  if ((mode & GROUP_WRITABLE) !== 0 && !isOwnGroup)
    return `${place} can be written by group ${gid}`;
  return undefined;
}

/**
 * The reason why a program must not be run from a path: another user could have written or could replace it. The
 * file and every folder above it count, symbolic links resolved.
 * @returns undefined when nobody but root and this user can
 * @throws the system's error when the file does not exist
 */
export function distrust(file: string, runner: Runner = currentRunner()): string | undefined {
  const real = realpathSync(file);
  for (let place = real; ; place = path.dirname(place)) {
    const problem = problemOf(place, place === real, runner);
    if (problem !== undefined || place === path.dirname(place)) return problem;
  }
}
