import { LinkDirection, type SessionNetwork, type SimPath, type Simulation } from '../../sim';
import type { LinkValues } from './link-values';
import type { LinkView } from './selection';
import type { SwitchGraph } from './switch-graph';
import type { SwitchPath } from './switch-paths';

/** Mininet's default, and that of Linux interfaces. */
const QUEUE_PACKETS = 1000;
/** Interval of the controller's readings, and the number it keeps. */
export const READ_NS = 1e9;
const READINGS = 5;

interface SwitchLink {
  ends: readonly [number, number];
  values: LinkValues;
  ab: LinkDirection;
  ba: LinkDirection;
  /** Clients with a subflow over it. */
  clients: Set<number>;
  /** Byte counters at the last readings, oldest first: one direction, the other direction. */
  readings: [number, number][];
}

/** Switches and links in a simulation, and their controller's view of them. */
export class SwitchNetwork {
  readonly #links: SwitchLink[];
  readonly #simulation: Simulation;
  /** Paths of the clients that are there. */
  readonly #taken = new Map<number, readonly SwitchPath[]>();

  constructor(simulation: Simulation, graph: SwitchGraph, values: readonly LinkValues[]) {
    this.#simulation = simulation;
    this.#links = graph.links.map((ends, index) => {
      const own = values[index] ?? { rateBps: 0, delayMs: 0 };
      const queue = { discipline: 'droptail' as const, limitPackets: QUEUE_PACKETS };
      const direction = (name: string): LinkDirection =>
        new LinkDirection(simulation, `link ${index} ${name}`, { ...own, queue });
      const none: [number, number] = [0, 0];
      return {
        ends,
        values: own,
        ab: direction('ab'),
        ba: direction('ba'),
        clients: new Set<number>(),
        readings: [none],
      };
    });
  }

  /** The controller's periodic reading of all counters; call it every {@link READ_NS}. */
  read(): void {
    for (const { ab, ba, readings } of this.#links) {
      readings.push([ab.stats().outBytes, ba.stats().outBytes]);
      if (readings.length > READINGS + 1) readings.shift();
    }
  }

  /**
   * The controller's view of the links: usage is the rate of the busier direction over the last five seconds.
   */
  views(): LinkView[] {
    return this.#links.map(({ values, clients, readings }) => {
      const first = readings[0] ?? ([0, 0] as const);
      const last = readings.at(-1) ?? first;
      const seconds = ((readings.length - 1) * READ_NS) / 1e9;
      const bytes = Math.max(last[0] - first[0], last[1] - first[1]);
      const usedBps = seconds > 0 ? (bytes * 8) / seconds : 0;
      return { ...values, usedBps, clients: clients.size };
    });
  }

  /**
   * Puts a client's subflows on paths, the first one first.
   * @returns the network as that client sees it
   */
  assign(client: number, chosen: readonly SwitchPath[]): SessionNetwork {
    this.take(client, chosen);
    const paths = chosen.map((path, index): SimPath => ({
      id: `subflow-${index + 1}`,
      via: path.links.map(String),
      there: this.along(path, false),
      back: this.along(path, true),
    }));
    return networkOf(paths);
  }

  /** Counts a client on its paths. */
  take(client: number, chosen: readonly SwitchPath[]): void {
    this.#taken.set(client, chosen);
    for (const { links } of chosen) {
      for (const link of links) this.#links[link]?.clients.add(client);
    }
  }

  /** Clients with a subflow over exactly this path. */
  clientsOn({ links }: SwitchPath): number {
    const key = links.join(' ');
    return [...this.#taken.values()].filter((paths) =>
      paths.some((path) => path.links.join(' ') === key),
    ).length;
  }

  /** A client has left: its paths no longer count. */
  release(client: number): void {
    this.#taken.delete(client);
    for (const { clients } of this.#links) clients.delete(client);
  }

  get nowMs(): number {
    return this.#simulation.nowNs / 1e6;
  }

  /** The links of a path, from the client on or towards it. */
  along({ switches, links }: SwitchPath, backwards: boolean): LinkDirection[] {
    const way = links.flatMap((link, hop) => {
      const found = this.#links[link];
      if (found === undefined) return [];
      const forwards = found.ends[0] === switches[hop];
      return [forwards !== backwards ? found.ab : found.ba];
    });
    return backwards ? way.reverse() : way;
  }
}

/** The paths as a client sees them; no link fails in this experiment. */
export function networkOf(paths: readonly SimPath[]): SessionNetwork {
  return {
    paths,
    pathsOf: (ids) => paths.filter(({ id }) => ids.includes(id)),
    onCarrier: () => undefined,
  };
}
