import { readFileSync } from 'node:fs';

/**
 * The path manager of connections that open from now on. `kernel`: the kernel, by endpoints. `userspace`: any
 * process with the privilege, connection by connection. `other`: a manager loaded into the kernel.
 */
export type PathManagerKind = 'kernel' | 'userspace' | 'other';

/**
 * @param content of net.mptcp.path_manager (a name, since 6.15) or net.mptcp.pm_type (a number, since 5.19).
 * Undefined on older kernels, which have only one kind
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

/** The setting of this network namespace, for pathManagerKind. */
export function readPathManager(): string | undefined {
  for (const name of ['path_manager', 'pm_type']) {
    try {
      return readFileSync(`/proc/sys/net/mptcp/${name}`, 'utf8');
    } catch {
      // Not present on this kernel.
    }
  }
  return undefined;
}
