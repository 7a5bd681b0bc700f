import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/**
 * $1: an empty folder; $2: a folder that the system sees as /mnt. Layers are in a file system of their own, because
 * overlayfs refuses an upper layer below its lower one.
 */
const MOUNT = `set -e
mount -t tmpfs tmpfs "$1"
mkdir "$1/upper" "$1/work" "$1/root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$1/upper,workdir=$1/work" "$1/root"
for name in dev proc sys; do mount --rbind "/$name" "$1/root/$name"; done
mount --bind "$2" "$1/root/mnt"
echo mounted
exec cat`;

export interface OverlaySystem {
  /** Runs a program as root of the copy. @throws Error with its output if it fails */
  run: (program: string, ...args: string[]) => string;
  /** Files that differ from this system. */
  changed: () => string[];
  end: () => Promise<void>;
}

/**
 * A copy of this system in a mount namespace: programs there see all that is installed here, and change nothing here.
 * Needs root, because a user namespace does not map the owners of the system's files.
 */
export async function openOverlaySystem(mnt: string): Promise<OverlaySystem> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'overlay-system-'));
  const words = ['--mount', '--propagation', 'private', 'sh', '-c', MOUNT, 'sh', folder, mnt];
  // The namespace ends with its last process, and that one with this end of its standard input.
  const holder = spawn('unshare', words, { stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = once(holder, 'exit');
  const first = await Promise.race([once(holder.stdout, 'data'), exited]);
  if (!String(first[0]).includes('mounted')) throw new Error('no overlay of / can be mounted');
  const inside = (...command: string[]): string =>
    execFileSync('nsenter', ['--target', String(holder.pid), '--mount', ...command], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  const upper = path.join(folder, 'upper');
  return {
    run: (...command) => inside('chroot', path.join(folder, 'root'), ...command),
    changed: () =>
      inside('find', upper, '!', '-type', 'd', '-printf', '/%P\\n').split('\n').filter(Boolean),
    end: async () => {
      holder.stdin.end();
      await exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
