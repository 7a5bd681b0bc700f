import {
  Packet,
  Timer,
  type Receiver,
  type SessionNetwork,
  type SimPath,
  type Simulation,
} from '../../sim';
import { networkOf, type SwitchNetwork } from './switch-network';
import type { SwitchPath } from './switch-paths';

/** The controller's side of one client. */
interface Client {
  /** Undefined until the search has ended. */
  paths: readonly SwitchPath[] | undefined;
  isSearching: boolean;
}

/** A rule for one subflow: the links of both ways. */
interface Rule {
  there: readonly Receiver[];
  back: readonly Receiver[];
}

/**
 * The SDN controller's part in a connection (section III-A). A client's first packet, which carries
 * MP_CAPABLE, has no rule at the first switch and goes to the controller. That searches paths for all
 * subflows, once, and installs the first one's. The first packet of each further subflow, which carries
 * MP_JOIN, gets the path chosen for it. A subflow without one gets no rule, and cannot connect.
 */
export class RouteController {
  readonly #simulation: Simulation;
  readonly #network: SwitchNetwork;
  readonly #searchMs: number;

  /** @param searchMs how long a search takes */
  constructor(simulation: Simulation, network: SwitchNetwork, searchMs: number) {
    this.#simulation = simulation;
    this.#network = network;
    this.#searchMs = searchMs;
  }

  /**
   * A client's network, whose first switch knows no rule yet.
   * @param choose searches paths, by the state of the network at that time
   * @param onChosen called with what it found
   */
  admit(
    id: number,
    subflows: number,
    choose: () => readonly SwitchPath[],
    onChosen: (paths: readonly SwitchPath[]) => void,
  ): SessionNetwork {
    const client: Client = { paths: undefined, isSearching: false };
    const held: Packet[] = [];
    const search = (): void => {
      const paths = choose();
      client.paths = paths;
      this.#network.view.take(id, paths);
      onChosen(paths);
      for (const packet of held.splice(0)) first.receive(packet);
    };
    const paths = Array.from({ length: subflows }, (_, index): SimPath => {
      const rule = (): Rule | undefined => this.#ruleOf(client.paths?.[index]);
      return {
        id: `subflow-${index + 1}`,
        via: [],
        there: [new Switch(rule, 'there')],
        back: [new Switch(rule, 'back')],
      };
    });
    const first = paths[0]?.there[0] ?? { receive: () => undefined };
    const entry: Receiver = {
      receive: (packet) => {
        if (client.paths !== undefined) {
          first.receive(packet);
          return;
        }
        held.push(packet);
        if (client.isSearching) return;
        client.isSearching = true;
        new Timer(this.#simulation, search).setIn(this.#searchMs * 1e6);
      },
    };
    return networkOf(
      paths.map((path, index) => (index === 0 ? { ...path, there: [entry] } : path)),
    );
  }

  #ruleOf(path: SwitchPath | undefined): Rule | undefined {
    if (path === undefined) return undefined;
    return { there: this.#network.along(path, false), back: this.#network.along(path, true) };
  }
}

/** A first switch: sends packets along the rule of their subflow, and drops those without one. */
class Switch implements Receiver {
  readonly #rule: () => Rule | undefined;
  readonly #way: keyof Rule;
  /** Whole routes, by the route with which packets come. */
  readonly #routes = new Map<readonly Receiver[], readonly Receiver[]>();

  constructor(rule: () => Rule | undefined, way: keyof Rule) {
    this.#rule = rule;
    this.#way = way;
  }

  receive({ sizeBytes, flow, ecn, route, hop, payload }: Packet): void {
    let whole = this.#routes.get(route);
    if (whole === undefined) {
      const rule = this.#rule();
      if (rule === undefined) return;
      whole = [...rule[this.#way], ...route.slice(hop)];
      this.#routes.set(route, whole);
    }
    new Packet(sizeBytes, flow, ecn, whole, payload).forward();
  }
}
