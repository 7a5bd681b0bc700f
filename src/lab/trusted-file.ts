import { lstatSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';

/** The running user, as numbers, and the visibility of file owners in this namespace. */
export interface Runner {
  uid: number;
  /** The user's own group, if nobody else is in it. */
  privateGid: number | undefined;
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

/** Lines of a file of /etc, as fields. Empty if it cannot be read. */
function fieldsOf(file: string): string[][] {
  try {
    return readFileSync(file, 'utf8')
      .split('\n')
      .map((line) => line.split(':'));
  } catch {
    return [];
  }
}

/**
 * Many systems give each user a group of their own, and make files writable for it (passwd(5), group(5)). Undefined for a
 * group with other members, and for one that these files do not list.
 */
export function privateGroup(
  uid: number,
  gid: number,
  passwd = fieldsOf('/etc/passwd'),
  group = fieldsOf('/etc/group'),
): number | undefined {
  const entry = group.find(([, , id]) => id === String(gid));
  if (entry === undefined) return undefined;
  const ownName = passwd.find(([, , id]) => id === String(uid))?.[0];
  const isMember = ([name, , , primary]: string[]): boolean =>
    primary === String(gid) && name !== ownName;
  const others = (entry[3] ?? '').split(',').filter((name) => name !== '' && name !== ownName);
  return others.length > 0 || passwd.some(isMember) ? undefined : gid;
}

/** This process. */
export function currentRunner(): Runner {
  const uid = process.getuid?.() ?? -1;
  return {
    uid,
    privateGid: privateGroup(uid, process.getgid?.() ?? -1),
    unmappedUid: unmappedUid(),
  };
}

function problemOf(place: string, isLeaf: boolean, runner: Runner): string | undefined {
  // Not followed: a link here was put in after the path was resolved.
  const found = lstatSync(place);
  const { uid, gid, mode } = found;
  if (found.isSymbolicLink()) return `${place} changed meanwhile`;
  if (![0, runner.uid, runner.unmappedUid].includes(uid)) return `${place} belongs to user ${uid}`;
  if (!isLeaf && (mode & STICKY) !== 0) return undefined;
  if ((mode & WORLD_WRITABLE) !== 0) return `${place} can be written by everybody`;
  const isOwnGroup = gid === 0 || gid === runner.privateGid;
  if ((mode & GROUP_WRITABLE) !== 0 && !isOwnGroup)
    return `${place} can be written by group ${gid}`;
  return undefined;
}

/** A path without symbolic links, and the reason why it must not be used. */
export interface Trust {
  real: string;
  /** Undefined when nobody but root and this user could have written the file, or could replace it. */
  problem: string | undefined;
}

/**
 * Judges the file and every folder above it, symbolic links resolved. Whoever uses the file must use `real`: where
 * a link leads can change after the check. An access control list counts as far as the mode shows it (acl(5)).
 * @throws the system's error when the file does not exist
 */
export function trustOf(file: string, runner: Runner = currentRunner()): Trust {
  const real = realpathSync(file);
  const places = [real];
  for (let place = real; place !== path.dirname(place); place = path.dirname(place)) {
    places.unshift(path.dirname(place));
  }
  // From the root down: nobody else can replace a place whose parents are trusted.
  let problem: string | undefined;
  for (const place of places) problem ??= problemOf(place, place === real, runner);
  return { real, problem };
}
