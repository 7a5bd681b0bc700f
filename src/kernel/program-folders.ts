/** Folders of nginx, ip and others, which the PATH of ordinary users often lacks. */
const ADMINISTRATION = ['/usr/local/sbin', '/usr/sbin', '/sbin'];
/** Folders of execvp(3) without a PATH, but for the working folder. */
const USUAL = ['/usr/local/bin', '/usr/bin', '/bin'];

/**
 * The PATH of this program. An empty element means the working folder (environ(7)), in which another user may have left
 * programs: it is left out.
 */
export function programFolders(path: string | undefined): string {
  const given = (path ?? '').split(':').filter((folder) => folder !== '');
  return [...(given.length === 0 ? USUAL : given), ...ADMINISTRATION].join(':');
}
