import { serverOf, type LinkEvent, type Name, type Topology } from '../../scenario';
import { LabError } from '../errors';
import { ipBatch, waitForCarrier } from '../netns';
import type { LabNetwork } from '../network-types';
import { familiesOf, familyOfAddress, type LabTopology, nodeAddresses } from './addresses';
import { serverAddress } from './flows';
import type { LinkBackend } from './link-backend';
import { renewalLines, undoRenewalLines, type NodeLines } from './renew-address';
import { laterLines, natLines } from './routing';

/** Namespaces of the nodes. */
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

/** The public data of a running network. */
export function describeNetwork(
  topology: Topology,
  lab: LabTopology,
  namespaces: Namespaces,
): Pick<LabNetwork, 'netnsOf' | 'addressesOf' | 'server' | 'interfaceOf' | 'congestionControlOf'> {
  const [family = 'ipv4'] = familiesOf(lab);
  const first = lab.paths[0];
  if (first === undefined) throw new Error('a checked topology has a path');
  const server = serverOf(lab);
  const netns = namespaces.fileOf(server);
  const congestionControlOf = (node: Name): string =>
    find('node', lab.nodes, node).congestionControl;
  return {
    netnsOf: (node) => namespaces.fileOf(find('node', lab.nodes, node).id),
    addressesOf: (node, only) => {
      const { id } = find('node', lab.nodes, node);
      const families = familiesOf(lab).filter((one) => only === undefined || one === only);
      return families.flatMap((one) => nodeAddresses(lab, id, one));
    },
    server: {
      ...(netns === undefined ? {} : { netns }),
      address: serverAddress(lab, first, family),
      congestionControl: congestionControlOf(server),
    },
    interfaceOf: (path) => find('path', topology.paths, path).via[0] ?? '',
    congestionControlOf,
  };
}

/** Runs lines of several nodes, node by node. */
async function runLines(namespaces: Namespaces, all: readonly NodeLines[]): Promise<void> {
  for (const { node, family, lines } of all) {
    if (lines.length > 0) await ipBatch(namespaces.fileOf(node), lines, family);
  }
}

/** Changes and observes a running network. `undo` removes what outlives the links. */
export function steerNetwork(
  topology: Topology,
  lab: LabTopology,
  namespaces: Namespaces,
  links: LinkBackend,
): Pick<LabNetwork, 'apply' | 'restart' | 'route' | 'watch' | 'linkStats'> & {
  undo: () => Promise<void>;
} {
  const renewals = new Map<Name, number>();
  const apply = async (event: LinkEvent): Promise<void> => {
    const link = find('link', topology.links, event.link);
    const { id, a, b } = link;
    // Events of links that this player does not have are ignored.
    if (!lab.links.some((one) => one.id === id)) return;
    switch (event.kind) {
      case 'link-change': {
        const { ab, ba } = event;
        await links.change(id, {
          ...(ab === undefined ? {} : { ab }),
          ...(ba === undefined ? {} : { ba }),
        });
        break;
      }
      case 'link-middlebox': {
        const address = event.middlebox?.nat?.address;
        for (const family of familiesOf(lab)) {
          const linesOf = (node: Name): string[] =>
            natLines(lab, node, family, link, address).map((line) =>
              line.replace('route add', 'route replace'),
            );
          const all = lab.nodes.map(({ id: node }) => ({ node, family, lines: linesOf(node) }));
          await runLines(namespaces, all);
        }
        await links.setMiddlebox(id, event.middlebox);
        break;
      }
      case 'address-change': {
        const count = (renewals.get(id) ?? 0) + 1;
        renewals.set(id, count);
        await runLines(namespaces, renewalLines(lab, link, count));
        break;
      }
      case 'link-state': {
        await links.setState(id, event.state);
        const isUp = event.state !== 'down';
        await Promise.all([a, b].map((node) => waitForCarrier(id, isUp, namespaces.fileOf(node))));
      }
    }
  };
  return {
    apply,
    route: async (flows) => {
      for (const family of familiesOf(lab)) {
        const own = flows.filter(({ from }) =>
          from.every((one) => familyOfAddress(one) === family),
        );
        const linesOf = (node: Name): string[] => laterLines(lab, node, own);
        const all = lab.nodes.map(({ id: node }) => ({ node, family, lines: linesOf(node) }));
        await runLines(namespaces, all);
      }
    },
    restart: async () => {
      // All at once: the answer of one link does not delay the next.
      await Promise.all(lab.links.map((link) => links.restart(link)));
    },
    watch: (periodMs, listener) => links.watch(periodMs, listener),
    linkStats: () => links.stats(),
    undo: async () => {
      for (const [id, count] of renewals) {
        const lines = undoRenewalLines(lab, find('link', topology.links, id), count);
        await runLines(namespaces, lines);
      }
    },
  };
}
