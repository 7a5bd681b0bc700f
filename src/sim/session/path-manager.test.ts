import { describe, expect, it } from 'vitest';
import type { PathEvent, WantedPathState } from '../../core';
import { expandTopology, type TimelineEvent } from '../../scenario';
import { Cubic } from '../congestion/cubic';
import { Simulation } from '../engine/simulation';
import { MptcpConnection } from '../mptcp/connection';
import { SimNetwork } from '../network/sim-network';
import { Mainline } from '../schedulers/mainline';
import { PathManager } from './path-manager';

const direction = { rateBps: 4e6, delayMs: 20, queue: { discipline: 'droptail' as const } };
const ids = ['wifi', 'lte'];

interface Managed {
  simulation: Simulation;
  connection: MptcpConnection;
  manager: PathManager;
  kinds: string[];
  /** Paths of the active subflows. */
  live: () => string[];
  want: (pathId: string, desired: WantedPathState, atMs: number) => void;
}

/**
 * A download over both paths while the wifi's link passes through these states, each from a time in
 * milliseconds.
 */
function download(
  states: Record<number, 'up' | 'down' | 'blackhole'> = {},
  order: readonly number[] = [0, 1],
): Managed {
  const simulation = new Simulation(1);
  const paths = ids.map((id) => ({ id, down: direction, up: direction }));
  const network = new SimNetwork(simulation, expandTopology({ kind: 'multihomed', paths }));
  const link = network.paths[0]?.via[0] ?? '';
  network.follow(
    Object.entries(states).map(([atMs, state]): TimelineEvent => ({
      kind: 'link-state',
      link,
      state,
      atMs: Number(atMs),
    })),
  );
  const kinds: string[] = [];
  const onEvent = ({ kind }: PathEvent): number => kinds.push(kind);
  const manager = new PathManager(simulation, network, ids, true, onEvent);
  const connection = new MptcpConnection(simulation, {
    paths: network.pathsOf(ids),
    order,
    flow: 1,
    createScheduler: () => new Mainline(),
    createCongestion: () => new Cubic(),
  });
  manager.add(connection);
  connection.connect();
  connection.server.send(1e8);
  return {
    simulation,
    connection,
    manager,
    kinds,
    live: () =>
      manager.pathOf(connection).filter((_, index) => connection.client.subflows[index]?.isUsable),
    want: (pathId, desired, atMs) => {
      simulation.run(atMs * 1e6);
      manager.want(pathId, desired);
    },
  };
}

describe('PathManager', () => {
  it('replaces the subflow of a lost carrier', () => {
    const { simulation, kinds, live, manager, connection } = download({ 1000: 'down', 2000: 'up' });
    simulation.run(1.9e9);
    expect(live()).toEqual(['lte']);
    simulation.run(3e9);
    expect(live()).toEqual(['lte', 'wifi']);
    expect(manager.pathOf(connection)).toEqual(['wifi', 'lte', 'wifi']);
    expect(kinds).toEqual(['interface-down', 'interface-up']);
  });

  it('keeps a path whose black hole ends', () => {
    const { simulation, kinds, live } = download({ 1000: 'blackhole', 2000: 'up' });
    simulation.run(5e9);
    expect(live()).toEqual(['wifi', 'lte']);
    expect(kinds).toEqual([]);
  });

  it('adds no second subflow if the carrier flaps faster than the reaction time', () => {
    const { simulation, kinds, live } = download({ 1000: 'down', 1005: 'up' });
    simulation.run(5e9);
    expect(live()).toEqual(['wifi', 'lte']);
    expect(kinds).toEqual(['interface-down', 'interface-up']);
  });

  it('keeps a path closed that is closed before it has joined, until it is wanted again', () => {
    const { simulation, want, live, manager, connection } = download();
    want('lte', 'closed', 10);
    simulation.run(2e9);
    expect(manager.pathOf(connection)).toEqual(['wifi']);
    want('lte', 'active', 2000);
    simulation.run(3e9);
    expect(live()).toEqual(['wifi', 'lte']);
  });

  it('reopens a path in its wanted state, on the existing subflow', () => {
    const { simulation, want, manager, connection } = download({}, [0]);
    want('lte', 'closed', 500);
    // An outside change, as by the kernel's own path manager.
    connection.rejoin(1);
    simulation.run(1e9);
    expect(connection.client.subflows[1]?.isBackup).toBe(true);
    want('lte', 'active', 1000);
    simulation.run(2e9);
    expect(manager.pathOf(connection)).toEqual(['wifi', 'lte']);
    expect(connection.server.subflows[1]?.isBackup).toBe(false);
  });

  it('opens no subflow for a closed connection', () => {
    const { simulation, connection } = download({ 1000: 'down', 2000: 'up' });
    simulation.run(1.5e9);
    connection.close();
    simulation.run(3e9);
    expect(connection.pathOf).toEqual([0, 1]);
  });
});
