import {
  clientOf,
  findWay,
  serverOf,
  walkAlong,
  type LinkSpec,
  type Name,
  type Topology,
  type LinkEvent,
  type TimelineEvent,
} from '../../scenario';
import type { Simulation } from '../engine/simulation';
import { Timer } from '../engine/timer';
import { LinkDirection } from '../link/link-direction';
import type { MptcpPath } from '../mptcp/connection';
import type { Receiver } from '../packet';

/** A simulated path of the topology. */
export interface SimPath extends MptcpPath {
  id: Name;
  /** The links of the path, from the client on. */
  via: readonly Name[];
}

/** Faults of programs and middleboxes exist in the lab only. */
type SimulatedEvent = Extract<LinkEvent, { kind: 'link-state' | 'link-change' }>;

interface SimLink {
  spec: LinkSpec;
  ab: LinkDirection;
  ba: LinkDirection;
  /** States in which the ends see a carrier; a blackhole is one of them. */
  hasCarrier: boolean;
}

/** The topology of a scenario with its links, in a simulation. */
export class SimNetwork {
  readonly paths: readonly SimPath[];
  readonly #simulation: Simulation;
  readonly #topology: Topology;
  readonly #links = new Map<Name, SimLink>();
  readonly #stateListeners: ((link: Name, isUp: boolean) => void)[] = [];

  constructor(simulation: Simulation, topology: Topology) {
    this.#simulation = simulation;
    this.#topology = topology;
    for (const spec of topology.links) {
      this.#links.set(spec.id, {
        spec,
        ab: new LinkDirection(simulation, `${spec.id} ab`, spec.ab),
        ba: new LinkDirection(simulation, `${spec.id} ba`, spec.ba),
        hasCarrier: true,
      });
    }
    const client = clientOf(topology);
    const server = serverOf(topology);
    this.paths = topology.paths.map(({ id, via }) => ({
      id,
      via,
      there: this.#along(client, via),
      back: this.#along(server, [...via].reverse()),
    }));
  }

  link(id: Name): { ab: LinkDirection; ba: LinkDirection } {
    return this.#link(id);
  }

  /** @throws RangeError for an unknown name */
  pathsOf(ids: readonly Name[]): SimPath[] {
    return ids.map((id) => {
      const path = this.paths.find((one) => one.id === id);
      if (path === undefined) throw new RangeError(`there is no path ${id}`);
      return path;
    });
  }

  /** Every direction of every link. */
  directions(): LinkDirection[] {
    return [...this.#links.values()].flatMap(({ ab, ba }) => [ab, ba]);
  }

  /**
   * The links from one node to another: by the topology's routes, else the fewest links.
   * @throws RangeError if there is no route
   */
  route(from: Name, to: Name): Receiver[] {
    const { routes } = this.#topology;
    const there = routes.find((route) => route.from === from && route.to === to);
    const back = routes.find((route) => route.from === to && route.to === from);
    const via =
      there?.via ?? (back && [...back.via].reverse()) ?? findWay(this.#topology, from, to);
    if (via === undefined) throw new RangeError(`there is no way from ${from} to ${to}`);
    return this.#along(from, via);
  }

  /**
   * Applies the timeline's events at their times from now.
   * @throws RangeError for a fault that only the lab's real kernels and programs have
   */
  follow(events: readonly TimelineEvent[]): void {
    for (const event of events) {
      if (event.kind !== 'link-state' && event.kind !== 'link-change') {
        throw new RangeError(`the simulator has no ${event.kind}: run this scenario in the lab`);
      }
      new Timer(this.#simulation, () => this.#apply(event)).setIn(Math.round(event.atMs * 1e6));
    }
  }

  /**
   * Registers a listener for the loss and return of a link's carrier, which the client's kernel would report. It hears at once
   * of each link without a carrier.
   */
  onCarrier(listener: (link: Name, isUp: boolean) => void): void {
    this.#stateListeners.push(listener);
    for (const [id, { hasCarrier }] of this.#links) if (!hasCarrier) listener(id, false);
  }

  #link(id: Name): SimLink {
    const link = this.#links.get(id);
    if (link === undefined) throw new RangeError(`there is no link ${id}`);
    return link;
  }

  #along(from: Name, via: readonly Name[]): LinkDirection[] {
    const walk = walkAlong(this.#topology, from, via);
    if (!walk.ok) throw new RangeError(walk.reason);
    return via.map((id, index) => {
      const { spec, ab, ba } = this.#link(id);
      return spec.a === walk.nodes[index] ? ab : ba;
    });
  }

  #apply(event: SimulatedEvent): void {
    const link = this.#link(event.link);
    const { ab, ba } = link;
    if (event.kind === 'link-change') {
      if (event.ab !== undefined) ab.set(event.ab);
      if (event.ba !== undefined) ba.set(event.ba);
      return;
    }
    const isUp = event.state === 'up';
    ab.setUp(isUp);
    ba.setUp(isUp);
    // The ends see no event at the end of a blackhole, because their carrier never changed.
    const hasCarrier = event.state !== 'down';
    if (hasCarrier === link.hasCarrier) return;
    link.hasCarrier = hasCarrier;
    for (const listener of this.#stateListeners) listener(event.link, hasCarrier);
  }
}
