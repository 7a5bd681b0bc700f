import type { TopologySource } from '../../src/scenario';
import type { WindowTrace } from './windows';

/** A router's link that one MPTCP connection of two subflows shares with one TCP connection of Reno. */
export const SHARED_LINK = {
  rateBps: 8e6,
  delayMs: 20,
  /** About one bandwidth-delay product with the access links' delay. */
  queueBytes: 60_000,
  accessRateBps: 50e6,
  accessDelayMs: 5,
  access: ['path1', 'path2'],
} as const;

/** Both connections have left slow start. */
export const SHARED_WARM_UP_SECONDS = 10;

export interface SharedCaseResult {
  /** Congestion control of the MPTCP connection. */
  control: string;
  coupledBps: number;
  plainBps: number;
  /** IP bytes over each access link. */
  carried: number[];
  /** Of the MPTCP connection. */
  windows: WindowTrace;
}

export function sharedTopology(control: string): TopologySource {
  const { rateBps, delayMs, queueBytes, accessRateBps, accessDelayMs, access } = SHARED_LINK;
  const line = (rate: number, delay: number, queue: number) => ({
    rateBps: rate,
    delayMs: delay,
    queueBytes: queue,
    queue: { discipline: 'droptail' as const },
  });
  const accessLine = line(accessRateBps, accessDelayMs, 10 * queueBytes);
  const sharedLine = line(rateBps, delayMs, queueBytes);
  const link = (id: string, a: string, b: string, spec: typeof sharedLine) => ({
    ...{ id, a, b, ab: spec, ba: spec },
  });
  return {
    kind: 'graph',
    congestionControl: control,
    nodes: [
      { id: 'client', role: 'client' },
      { id: 'near', role: 'router' },
      { id: 'far', role: 'router' },
      { id: 'server', role: 'server' },
    ],
    links: [
      ...access.map((id) => link(id, 'client', 'near', accessLine)),
      link('shared', 'near', 'far', sharedLine),
      // The queue is behind a router: TSQ of the sender does not see it.
      link('uplink', 'far', 'server', accessLine),
    ],
  };
}
