import type { AwaitedTime } from '../../core';
import {
  compareByNeed,
  totalBytes,
  type ByteRange,
  type ObservedFlight,
  type ObservedNetwork,
  type ObservedObject,
  type OrderedObject,
} from '../../chunks';
import type { Receiver } from '../packet';
import { CONNECTIONS_PER_NETWORK, type ConnectionPool } from './connection-pool';
import type { RangeConnection } from './range-connection';

export interface RangeNetwork {
  id: string;
  /** Links to the server, and back. */
  there: readonly Receiver[];
  back: readonly Receiver[];
  costly?: boolean;
  budgetBytes?: number;
}

/** An object that is being fetched. */
export interface RangeObject {
  readonly objectId: string;
  readonly totalBytes: number;
  neededAtMs: number | undefined;
  /** Sorted and disjoint. */
  received: ByteRange[];
  firstByteMs: number | undefined;
  /** Bytes that were counted as in order before it was read, and would count again. */
  aheadBytes: number;
  /** Called when all of it is here. Undefined until the player asks for what was fetched in advance. */
  done: (() => void) | undefined;
}

/** A request in flight, on its connection. */
export interface RangeFlight {
  seen: ObservedFlight;
  object: RangeObject;
  connection: RangeConnection;
}

/** A network with its connections. */
export interface RangeNetworkState {
  spec: RangeNetwork;
  isUp: boolean;
  /** A path policy wants this network active. */
  isWanted: boolean;
  pool: ConnectionPool;
  receivedBytes: number;
  awaited: AwaitedTime;
}

/** The networks in the form of a scheduler's observation. */
export function observeNetworks(networks: readonly RangeNetworkState[]): ObservedNetwork[] {
  const anyWanted = networks.some(({ isUp, isWanted }) => isUp && isWanted);
  return networks.map(({ spec, isUp, isWanted, pool: { connections }, receivedBytes }) => {
    const busy = connections.filter(({ isIdle }) => !isIdle).length;
    const rtts = connections.flatMap(({ rttMs }) => (rttMs === undefined ? [] : [rttMs]));
    return {
      networkId: spec.id,
      state: isUp ? 'up' : 'out',
      ...(rtts.length > 0 ? { rttMs: Math.min(...rtts) } : {}),
      costly: spec.costly ?? false,
      ...(spec.budgetBytes === undefined ? {} : { budgetBytes: spec.budgetBytes - receivedBytes }),
      freeRequests: isWanted || !anyWanted ? CONNECTIONS_PER_NETWORK - busy : 0,
      warmRequests: connections.filter(({ isWarm }) => isWarm).length,
      separateConnections: true,
    };
  });
}

/** The objects in the form of a scheduler's observation, in the order in which the player's gateway offers them. */
export const observeObjects = (objects: readonly RangeObject[]): ObservedObject[] =>
  [...objects]
    .sort((one, other) => compareByNeed(orderOf(one), orderOf(other)))
    .map(({ objectId, totalBytes: all, neededAtMs, received }) => ({
      objectId,
      totalBytes: all,
      neededAtMs,
      ranges: true,
      received: [...received],
    }));

const orderOf = ({ done, neededAtMs, totalBytes: all }: RangeObject): OrderedObject => ({
  isRead: done !== undefined,
  neededAtMs,
  totalBytes: all,
});

/** Bytes of an object that have arrived in order. */
export const inOrder = ({ received: [first] }: RangeObject): number =>
  first?.start === 0 ? first.end : 0;

export const isComplete = ({ received, totalBytes: all }: RangeObject): boolean =>
  totalBytes(received) >= all;
