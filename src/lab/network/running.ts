import type { Name, Topology } from '../../scenario';
import { LabError } from '../errors';
import { waitForCarrier } from '../netns';
import type { LabNetwork } from '../network-types';
import { familiesOf, type LabTopology, nodeAddresses } from './addresses';
import { serverAddress } from './flows';
import type { LinkBackend } from './link-backend';

/** Where the nodes of a network are. */
export interface Namespaces {
  /** undefined: the sandbox's own, which is the client's. */
  fileOf(node: Name): string | undefined;
}

function find<T extends { id: Name }>(what: string, all: readonly T[], id: Name): T {
  const found = all.find((one) => one.id === id);
  if (found !== undefined) return found;
  const known = all.map((one) => one.id).join(', ');
  throw new LabError('BAD_OPTION', `there is no ${what} ${id}; there are ${known}`);
}

/** What others need to know of a network that stands. */
export function describeNetwork(
  topology: Topology,
  lab: LabTopology,
  namespaces: Namespaces,
): Pick<
  LabNetwork,
  'netnsOf' | 'addressesOf' | 'serverAddress' | 'interfaceOf' | 'congestionControlOf'
> {
  const [family = 'ipv4'] = familiesOf(lab);
  const first = lab.paths[0];
  if (first === undefined) throw new Error('a checked topology has a path');
  return {
    netnsOf: (node) => namespaces.fileOf(find('node', lab.nodes, node).id),
    addressesOf: (node, only) => {
      const { id } = find('node', lab.nodes, node);
      const families = familiesOf(lab).filter((one) => only === undefined || one === only);
      return families.flatMap((one) => nodeAddresses(lab, id, one));
    },
    serverAddress: serverAddress(lab, first, family),
    interfaceOf: (path) => find('path', topology.paths, path).via[0] ?? '',
    congestionControlOf: (node) => find('node', lab.nodes, node).congestionControl,
  };
}

/** What changes a network that stands, and what watches it. */
export function steerNetwork(
  topology: Topology,
  lab: LabTopology,
  namespaces: Namespaces,
  links: LinkBackend,
): Pick<LabNetwork, 'apply' | 'restart' | 'watch' | 'linkStats'> {
  return {
    apply: async (event) => {
      const { id, a, b } = find('link', topology.links, event.link);
      // Nothing happens to a link that this player does not have.
      if (!lab.links.some((link) => link.id === id)) return;
      if (event.kind === 'link-change') {
        const { ab, ba } = event;
        await links.change(id, {
          ...(ab === undefined ? {} : { ab }),
          ...(ba === undefined ? {} : { ba }),
        });
        return;
      }
      await links.setState(id, event.state);
      const isUp = event.state !== 'down';
      await Promise.all([a, b].map((node) => waitForCarrier(id, isUp, namespaces.fileOf(node))));
    },
    restart: async () => {
      // All asked at once: what one link answers does not hold the next one back.
      await Promise.all(lab.links.map((link) => links.restart(link)));
    },
    watch: (periodMs, listener) => links.watch(periodMs, listener),
    linkStats: () => links.stats(),
  };
}
