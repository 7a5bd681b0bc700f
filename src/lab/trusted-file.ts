import { lstatSync, readFileSync, readlinkSync, type Stats } from 'node:fs';
import path from 'node:path';

/** The running user, as numbers, and the visibility of file owners in this namespace. */
export interface Runner {
  uid: number;
  /** The user's own group, if nobody else is in it. */
  privateGid: number | undefined;
  /** Uid under which a user namespace shows every owner that it does not map; undefined outside of one. */
  unmappedUid?: number | undefined;
  /** Further users that count as oneself. */
  alsoUids?: readonly number[];
  /** Write permission of a group is trusted as well. */
  trustsGroups?: boolean;
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

function problemOf(
  place: string,
  found: Stats,
  isLeaf: boolean,
  runner: Runner,
): string | undefined {
  const { uid, gid, mode } = found;
  if (![0, runner.uid, runner.unmappedUid, ...(runner.alsoUids ?? [])].includes(uid)) {
    return `${place} belongs to user ${uid}`;
  }
  // The mode of a link is meaningless: a user who may write its folder may replace it.
  if (found.isSymbolicLink() || (!isLeaf && (mode & STICKY) !== 0)) return undefined;
  if ((mode & WORLD_WRITABLE) !== 0) return `${place} can be written by everybody`;
  const isOwnGroup = gid === 0 || gid === runner.privateGid || runner.trustsGroups === true;
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

/** Most symbolic links on the way; Linux follows as many (path_resolution(7)). */
const MAX_LINKS = 40;

/**
 * Judges the file, every folder above it and every link on the way. Whoever uses the file must use `real`: where a link leads can
 * change after the check. An access control list counts as far as the mode shows it (acl(5)).
 * @throws the system's error when the file does not exist
 */
export function trustOf(file: string, runner: Runner = currentRunner()): Trust {
  let rest = path.resolve(file).split(path.sep).filter(Boolean);
  let real: string = path.sep;
  let links = 0;
  let problem = problemOf(real, lstatSync(real), rest.length === 0, runner);
  // From the root down: nobody else can replace a place whose parents are trusted.
  while (rest.length > 0) {
    const [name = '', ...later] = rest;
    rest = later;
    const place = path.join(real, name);
    const found = lstatSync(place);
    problem ??= problemOf(place, found, rest.length === 0, runner);
    if (found.isSymbolicLink()) {
      links += 1;
      if (links > MAX_LINKS) throw new Error(`${file}: too many symbolic links`);
      const target = path.resolve(real, readlinkSync(place));
      rest = [...target.split(path.sep).filter(Boolean), ...rest];
      real = path.sep;
    } else {
      real = place;
    }
  }
  return { real, problem };
}
