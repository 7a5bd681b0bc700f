import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** Inodes of the sockets a process holds, by descriptor; empty where /proc does not say. */
export function socketsOf(pid: number): Map<number, number> {
  const sockets = new Map<number, number>();
  let names: string[];
  try {
    names = readdirSync(`/proc/${pid}/fd`);
  } catch {
    return sockets;
  }
  for (const name of names) {
    try {
      const match = /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${name}`));
      if (match) sockets.set(Number(name), Number(match[1]));
    } catch {
      // Closed since.
    }
  }
  return sockets;
}

export interface ProcessInfo {
  pid: number;
  name: string;
}

/** Which process holds which socket, of all processes this user may look into. */
export function socketOwners(): Map<number, ProcessInfo> {
  const owners = new Map<number, ProcessInfo>();
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    const pid = Number(entry);
    const sockets = socketsOf(pid);
    if (sockets.size === 0) continue;
    const info = { pid, name: nameOf(pid) };
    for (const inode of sockets.values()) owners.set(inode, info);
  }
  return owners;
}

function nameOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
  } catch {
    return '?';
  }
}
