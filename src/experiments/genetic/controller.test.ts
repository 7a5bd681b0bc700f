import { describe, expect, it } from 'vitest';
import { Ecn, Packet, Simulation } from '../../sim';
import { RouteController } from './controller';
import { SwitchNetwork } from './switch-network';

describe('Controller', () => {
  it('searches once, at the first packet, and gives further subflows the route chosen for them', () => {
    const simulation = new Simulation(1);
    const graph = { switches: 3, links: [[0, 1] as const, [0, 2] as const, [2, 1] as const] };
    // A packet of 1000 bytes takes 8 ms and 10 ms a link.
    const values = graph.links.map(() => ({ rateBps: 1e6, delayMs: 10 }));
    const network = new SwitchNetwork(simulation, graph, values);
    const direct = { switches: [0, 1], links: [0] };
    const around = { switches: [0, 2, 1], links: [1, 2] };
    const searchedMs: number[] = [];
    const controller = new RouteController(simulation, network, 1000);
    const client = controller.admit(
      7,
      3,
      () => {
        searchedMs.push(simulation.nowNs / 1e6);
        return [direct, around];
      },
      () => undefined,
    );
    const arrived: [subflow: number, atMs: number][] = [];
    const send = (subflow: number, way: 'there' | 'back' = 'there'): void => {
      const route = client.paths[subflow]?.[way] ?? [];
      const end = { receive: () => arrived.push([subflow, simulation.nowNs / 1e6]) };
      new Packet(1000, 1, Ecn.notCapable, [...route, end], undefined).forward();
    };
    simulation.run(500e6);
    send(0);
    send(0);
    simulation.run(2000e6);
    expect(searchedMs).toEqual([1500]);
    expect(arrived).toEqual([
      [0, 1518],
      [0, 1526],
    ]);
    expect([direct, around].map((path) => network.view.clientsOn(path))).toEqual([1, 1]);
    arrived.length = 0;
    send(1);
    send(1, 'back');
    // No path was chosen for it.
    send(2);
    simulation.run(3000e6);
    expect(arrived).toEqual([
      [1, 2036],
      [1, 2036],
    ]);
    network.view.release(7);
    expect(network.view.clientsOn(direct)).toBe(0);
  });
});
