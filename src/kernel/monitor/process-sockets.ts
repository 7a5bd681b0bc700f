import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { procStatField } from '../../core';

/** Inodes of a process's sockets, by descriptor; empty if /proc is unreadable. */
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
      // Closed meanwhile.
    }
  }
  return sockets;
}

export interface OwnerProcess {
  pid: number;
  name: string;
}

/** The process that holds each socket, over all processes this user may read. */
export function socketOwners(): Map<number, OwnerProcess> {
  const owners = new Map<number, OwnerProcess>();
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

/** Parent of a process, from `/proc/<pid>/stat`; its name, in brackets, may hold anything. */
function parentOf(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(procStatField(stat, 4));
  } catch {
    return undefined;
  }
}

/** The processes that `root` started, and those that they started, as far as their parents live. */
export function descendantsOf(root: number): number[] {
  const children = new Map<number, number[]>();
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    const parent = parentOf(Number(entry));
    if (parent !== undefined)
      children.set(parent, [...(children.get(parent) ?? []), Number(entry)]);
  }
  const found: number[] = [];
  const next = [...(children.get(root) ?? [])];
  for (let pid = next.pop(); pid !== undefined; pid = next.pop()) {
    found.push(pid);
    next.push(...(children.get(pid) ?? []));
  }
  return found;
}
