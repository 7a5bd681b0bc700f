import { readdirSync, readFileSync } from 'node:fs';
import { descendantsOf } from '../../kernel';
import { chromiumType, commandLineOf } from '../host';

/** Processes that a session consists of. `agent` is the `play` command, `server` is nginx. */
export const soakRoles = ['agent', 'browser', 'renderer', 'network', 'server', 'emulator'] as const;
export type SoakRole = (typeof soakRoles)[number];

/** Figures of a process in /proc. */
export interface ProcessFigures {
  pid: number;
  /** Resident, without files and shared memory. */
  memoryBytes: number;
  descriptors: number;
  threads: number;
}

const KIB = 1024;

/** @returns undefined for a process that has ended */
export function readProcess(pid: number): ProcessFigures | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const field = (name: string): number =>
      Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0);
    return {
      pid,
      memoryBytes: field('RssAnon') * KIB,
      threads: field('Threads'),
      descriptors: readdirSync(`/proc/${pid}/fd`).length,
    };
  } catch {
    return undefined;
  }
}

/** The role of a process by its command line; undefined for helpers that come and go. */
export function roleOf(commandLine: readonly string[]): SoakRole | undefined {
  if (commandLine[0]?.endsWith('/mpd-link') === true) return 'emulator';
  const type = chromiumType(commandLine);
  if (type === 'renderer') return 'renderer';
  if (type === 'utility') {
    const isNetwork = commandLine.some((argument) => argument.includes('network.mojom'));
    return isNetwork ? 'network' : undefined;
  }
  const isBrowser = commandLine.some((argument) => argument.startsWith('--user-data-dir='));
  return type === undefined && isBrowser ? 'browser' : undefined;
}

/** Figures of all roles below `root`. Of several renderers, the largest plays; the others are spares. */
export function readRoles(
  root: number,
  known: Readonly<Partial<Record<SoakRole, number>>>,
): Partial<Record<SoakRole, ProcessFigures>> {
  const found: Partial<Record<SoakRole, ProcessFigures>> = {};
  const add = (role: SoakRole, pid: number): void => {
    const figures = readProcess(pid);
    const other = found[role];
    if (figures && !(other && other.memoryBytes > figures.memoryBytes)) found[role] = figures;
  };
  for (const [role, pid] of Object.entries(known)) add(role as SoakRole, pid);
  for (const pid of descendantsOf(root)) {
    const role = roleOf(commandLineOf(pid));
    if (role !== undefined) add(role, pid);
  }
  return found;
}
