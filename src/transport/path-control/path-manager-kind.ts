import { readFileSync } from 'node:fs';

/**
 * Who looks after the paths of connections that are opened from now on. `kernel`: the kernel, by endpoints.
 * `userspace`: whoever asks it to, connection by connection. `other`: a manager loaded into the kernel.
 */
export type PathManagerKind = 'kernel' | 'userspace' | 'other';

/**
 * @param content of net.mptcp.path_manager (a name, since 6.15) or net.mptcp.pm_type (a number, since 5.19);
 * undefined on older kernels, which have but the one
 */
export function pathManagerKind(content: string | undefined): PathManagerKind {
  switch (content?.trim()) {
    case undefined:
    case '0':
    case 'kernel':
      return 'kernel';
    case '1':
    case 'userspace':
      return 'userspace';
    default:
      return 'other';
  }
}

/** What this network namespace says, to be given to pathManagerKind. */
export function readPathManager(): string | undefined {
  for (const name of ['path_manager', 'pm_type']) {
    try {
      return readFileSync(`/proc/sys/net/mptcp/${name}`, 'utf8');
    } catch {
      // Not on this kernel.
    }
  }
  return undefined;
}
