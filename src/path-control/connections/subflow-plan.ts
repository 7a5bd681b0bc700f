import { isV6, type SocketAddress, type WantedPathState } from '../../core';
import { onePerFamily } from '../one-per-family';
import type { LiveConnection, LiveSubflow } from './connection-channel';

/** A local address for subflows. */
export interface LocalPath {
  /** The network's name: that of its interface. */
  network: string;
  address: string;
  interfaceIndex: number;
}

/** An address of the other end. */
export interface RemoteAddress {
  id: number;
  end: SocketAddress;
}

/**
 * The state of a local address: the wanted state of its network, or lost with its interface. Undefined: not
 * controlled.
 */
export type AddressState = WantedPathState | 'lost' | undefined;

export interface SubflowPlanInput {
  connection: LiveConnection;
  /** Present addresses. */
  paths: readonly LocalPath[];
  stateOf: (address: string) => AddressState;
  remotes: readonly RemoteAddress[];
  /** Returns true if a route exists and the backoff has expired. */
  mayCreate: (path: LocalPath, remote: RemoteAddress) => boolean;
  /** Returns true if a subflow was last requested as a backup, or is one. Undefined: its state is requested in any case. */
  isBackup: (subflow: LiveSubflow) => boolean | undefined;
}

export type SubflowAction =
  | { kind: 'destroy'; subflow: LiveSubflow; lost: boolean }
  | { kind: 'backup'; subflow: LiveSubflow; backup: boolean }
  | { kind: 'create'; path: LocalPath; remote: RemoteAddress; backup: boolean };

/** The limit of the kernel's own path manager for a connection. */
export const MAX_SUBFLOWS = 8;

const established = ({ state }: LiveSubflow): boolean => state === 'active' || state === 'backup';
const sameEnd = (a: SocketAddress, b: SocketAddress): boolean =>
  a.address === b.address && a.port === b.port;

/** Returns true if subflows may be opened and ended without breaking the connection. */
export const isSettled = ({ subflows }: LiveConnection): boolean =>
  subflows.some((subflow) => established(subflow) && subflow.fullyEstablished);

/**
 * Plans the changes that bring one connection to the wanted state. The plan has a subflow over every path to
 * every address of the other end, backups where wanted, and none where the path is lost or closed. It keeps
 * the last living subflow: a connection without subflows ends. Subflows that end come first. Pure.
 */
export function planSubflows(input: SubflowPlanInput): SubflowAction[] {
  const { connection, stateOf } = input;
  if (!isSettled(connection)) return [];
  const subflows = connection.subflows.filter(({ state }) => state !== 'closed');
  const unwanted = (subflow: LiveSubflow): boolean => {
    const state = stateOf(subflow.local.address);
    return state === 'lost' || state === 'closed';
  };
  const kept = subflows.filter((subflow) => !unwanted(subflow));
  const destroys: SubflowAction[] = kept.some(established)
    ? subflows.filter(unwanted).map((subflow) => ({
        kind: 'destroy',
        subflow,
        lost: stateOf(subflow.local.address) === 'lost',
      }))
    : [];
  const backups: SubflowAction[] = [];
  for (const subflow of kept) {
    const state = stateOf(subflow.local.address);
    if (!established(subflow) || state === undefined) continue;
    const backup = state === 'backup';
    if (input.isBackup(subflow) !== backup) backups.push({ kind: 'backup', subflow, backup });
  }
  return [...destroys, ...backups, ...planCreation(input, subflows, kept.length)];
}

function planCreation(
  { paths, remotes, stateOf, mayCreate }: SubflowPlanInput,
  subflows: readonly LiveSubflow[],
  kept: number,
): SubflowAction[] {
  const actions: SubflowAction[] = [];
  const isUsed = (address: string): boolean =>
    subflows.some(({ local }) => local.address === address);
  const starts = onePerFamily(paths, isUsed);
  for (const remote of remotes) {
    for (const path of starts) {
      const state = stateOf(path.address);
      if (state !== 'active' && state !== 'backup') continue;
      if (isV6(path.address) !== isV6(remote.end.address)) continue;
      const there = subflows.some(
        (item) => item.local.address === path.address && sameEnd(item.remote, remote.end),
      );
      if (there || kept + actions.length >= MAX_SUBFLOWS || !mayCreate(path, remote)) continue;
      actions.push({ kind: 'create', path, remote, backup: state === 'backup' });
    }
  }
  return actions;
}
