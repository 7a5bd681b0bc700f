import { clientOf, type Name, type NodeSpec, type Scenario, type Topology } from '../../scenario';
import type { LinkEmulatorOptions } from '../link-emulator';
import type { LinkEnd } from '../link-emulator-options';
import {
  addNetnses,
  ipBatch,
  type Netns,
  removeNetnses,
  setSysctls,
  tryIpBatch,
  trySysctls,
} from '../netns';
import type { LabNetwork } from '../network-types';
import { familiesOf, type LabTopology } from './addresses';
import { loadCongestionControls } from './congestion-control';
import { labTopology } from './lab-topology';
import { emulatorBackend, kernelBackend, type LinkBackend } from './link-backend';
import { mptcpLines } from './mptcp-plan';
import { checkLabRequirements } from './requirements';
import { addressLines, routingLines } from './routing';
import { describeNetwork, steerNetwork, type Namespaces } from './running';
import { baseSysctls, steadySysctls, linkedSysctls, silencingLines } from './settings';

export interface BuildNetworkOptions extends Pick<LinkEmulatorOptions, 'onFailure' | 'recordFile'> {
  /** Decides which packets are lost and when. Default 1. */
  seed?: number;
  /** False: the server answers MPTCP with plain TCP. Default true. */
  serverMptcp?: boolean;
  /** False: the client's kernel has no MPTCP sockets. Default true. */
  clientMptcp?: boolean;
  /** Paths the player may take; the client has no link for the others. Default: all. */
  usePaths?: readonly Name[];
  /** Creates the links. Default `emulator`. */
  backend?: Scenario['backend'];
  /** Replaces the backend; closed with the network. */
  links?: LinkBackend;
}

function usesMptcp(node: NodeSpec, options: BuildNetworkOptions): boolean {
  if (node.role === 'client') return options.clientMptcp ?? true;
  return node.role === 'server' && (options.serverMptcp ?? true);
}

async function prepareNode(
  node: NodeSpec,
  options: BuildNetworkOptions,
  namespaces: Namespaces,
): Promise<void> {
  const file = namespaces.fileOf(node.id);
  await setSysctls(file, baseSysctls(usesMptcp(node, options)));
  await trySysctls(file, steadySysctls);
  // Often refused: the initial namespace's tcp_allowed_congestion_control decides. Routes set it too.
  await trySysctls(file, [['net.ipv4.tcp_congestion_control', node.congestionControl]]);
}

async function configureNode(
  topology: LabTopology,
  node: NodeSpec,
  options: BuildNetworkOptions,
  namespaces: Namespaces,
): Promise<void> {
  const file = namespaces.fileOf(node.id);
  await ipBatch(file, ['link set lo up', ...silencingLines(topology, node)]);
  await setSysctls(file, linkedSysctls(topology, node));
  for (const family of familiesOf(topology)) {
    await ipBatch(
      file,
      [...addressLines(topology, node.id, family), ...routingLines(topology, node.id, family)],
      family,
    );
  }
  if (usesMptcp(node, options)) await ipBatch(file, mptcpLines(topology, node.id));
}

async function linksOf({ backend, seed = 1, ...rest }: BuildNetworkOptions): Promise<LinkBackend> {
  if (backend === 'kernel') return kernelBackend(seed);
  const { onFailure, recordFile } = rest;
  return emulatorBackend(seed, {
    ...(onFailure === undefined ? {} : { onFailure }),
    ...(recordFile === undefined ? {} : { recordFile }),
  });
}

/** Removes the client's settings that outlive its interfaces; some may not exist yet. */
async function undoClient(topology: LabTopology): Promise<void> {
  await tryIpBatch(undefined, ['mptcp endpoint flush']);
  for (const family of familiesOf(topology)) {
    const rules = routingLines(topology, clientOf(topology), family)
      .filter((line) => line.startsWith('rule'))
      .map((line) => line.replace('rule add', 'rule del'));
    await tryIpBatch(undefined, rules, family);
  }
}

/**
 * Builds a topology: a namespace for each node (the client is the sandbox's own), links, addresses, routes,
 * MPTCP endpoints. Links name their interfaces. Queues are in the emulator, behind the previous node's
 * routing, where a sender's own accounting (TSQ) does not delay packets. It must run inside a sandbox.
 * @throws LabError BAD_OPTION, MPTCP_MISSING, EMULATOR_MISSING, MODULE_MISSING, TUN_UNAVAILABLE,
 * COMMAND_FAILED
 */
export async function buildNetwork(
  topology: Topology,
  options: BuildNetworkOptions = {},
): Promise<LabNetwork> {
  await checkLabRequirements();
  const lab = labTopology(topology, options.usePaths);
  const unloadControls = await loadCongestionControls(lab.nodes);
  const client = clientOf(lab);
  const others = lab.nodes.filter(({ id }) => id !== client).map(({ id }) => id);
  const netnses = new Map<Name, Netns>();
  const namespaces: Namespaces = { fileOf: (node) => netnses.get(node)?.file };
  let links: LinkBackend | undefined;
  const close = async (): Promise<void> => {
    await undoClient(lab);
    try {
      await links?.close();
    } finally {
      await removeNetnses([...netnses.values()]);
      await unloadControls();
      netnses.clear();
    }
  };
  try {
    for (const netns of await addNetnses(others)) netnses.set(netns.name, netns);
    await Promise.all(lab.nodes.map((node) => prepareNode(node, options, namespaces)));
    links = options.links ?? (await linksOf(options));
    for (const link of lab.links) {
      const end = (node: Name): LinkEnd => {
        const netns = namespaces.fileOf(node);
        return { ...(netns === undefined ? {} : { netns }), device: link.id };
      };
      await links.add(link, { a: end(link.a), b: end(link.b) });
    }
    await Promise.all(lab.nodes.map((node) => configureNode(lab, node, options, namespaces)));
    const { undo, ...steering } = steerNetwork(topology, lab, namespaces, links);
    return {
      ...describeNetwork(topology, lab, namespaces),
      ...steering,
      close: async () => {
        await undo().finally(close);
      },
    };
  } catch (error) {
    // After the backend has died, later errors are not the cause.
    const reason: unknown = await links?.stats().then(
      () => error,
      (failure: unknown) => failure,
    );
    await close();
    throw reason ?? error;
  }
}
