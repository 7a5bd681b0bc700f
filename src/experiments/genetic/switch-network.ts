import { LinkDirection, type SessionNetwork, type SimPath, type Simulation } from '../../sim';
import { ControllerView } from './controller-view';
import type { LinkValues } from './link-values';
import type { SwitchGraph } from './switch-graph';
import type { SwitchPath } from './switch-paths';

/** Mininet's default, and that of Linux interfaces. */
export const QUEUE_PACKETS = 1000;

interface SwitchLink {
  ends: readonly [number, number];
  ab: LinkDirection;
  ba: LinkDirection;
}

/** Switches and links in a simulation, and their controller's view of them. */
export class SwitchNetwork {
  readonly view: ControllerView;
  readonly #links: SwitchLink[];
  readonly #simulation: Simulation;

  constructor(simulation: Simulation, graph: SwitchGraph, values: readonly LinkValues[]) {
    this.#simulation = simulation;
    const known = graph.links.map((_, index) => values[index] ?? { rateBps: 0, delayMs: 0 });
    this.view = new ControllerView(known);
    this.#links = graph.links.map((ends, index) => {
      const queue = { discipline: 'droptail' as const, limitPackets: QUEUE_PACKETS };
      const spec = { rateBps: 0, delayMs: 0, ...known[index], queue };
      const direction = (name: string): LinkDirection =>
        new LinkDirection(simulation, `link ${index} ${name}`, spec);
      return { ends, ab: direction('ab'), ba: direction('ba') };
    });
  }

  /** The controller's periodic reading of all counters. */
  read(): void {
    const counters = this.#links.map(
      ({ ab, ba }) => [ab.stats().outBytes, ba.stats().outBytes] as const,
    );
    this.view.read(counters, this.nowMs);
  }

  /**
   * Puts a client's subflows on paths, the first one first.
   * @returns the network as that client sees it
   */
  assign(client: number, chosen: readonly SwitchPath[]): SessionNetwork {
    this.view.take(client, chosen);
    const paths = chosen.map((path, index): SimPath => ({
      id: `subflow-${index + 1}`,
      via: path.links.map(String),
      there: this.along(path, false),
      back: this.along(path, true),
    }));
    return networkOf(paths);
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
