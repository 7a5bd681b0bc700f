import { createNetworkEvents, createRouteLookup, type RouteLookup } from '../kernel';
import { networksOf, type Network } from './network';

/** The kernel's data about this machine's networks. */
export interface NetworkWatch {
  readonly networks: readonly Network[];
  readonly reaches: RouteLookup['reaches'];
  /** Resolves when the networks are known. */
  readonly ready: Promise<void>;
  close(): void;
}

/**
 * Follows links, addresses and routes by rtnetlink.
 * @param onChange called after each change of the networks
 */
export function watchNetworks(onChange: (networks: readonly Network[]) => void): NetworkWatch {
  const routes = createRouteLookup();
  let networks: readonly Network[] = [];
  let filled = false;
  const look = (): void => {
    networks = networksOf(events.table.list());
    if (filled) onChange(networks);
  };
  const events = createNetworkEvents({ onChange: look, onNote: () => undefined });
  return {
    get networks() {
      return networks;
    },
    reaches: (to, from, interfaceIndex) => routes.reaches(to, from, interfaceIndex),
    ready: events.start().then(() => {
      filled = true;
      look();
    }),
    close() {
      events.close();
      routes.close();
    },
  };
}
