import { clientOf, type Name, serverOf } from '../../scenario';
import { familiesOf, type LabTopology } from './addresses';
import { clientAddress, serverAddress } from './flows';

/** The kernel's maximum. */
export const MPTCP_LIMITS = 'mptcp limits set subflow 8 add_addr_accepted 8';

/**
 * `ip -batch` lines that make MPTCP use every path: an endpoint for each interface of the client. A server
 * with several addresses announces them, and the client joins each of them from each of its own (full mesh).
 */
export function mptcpLines(topology: LabTopology, node: Name): string[] {
  const families = familiesOf(topology);
  const server = serverOf(topology);
  const lines = families.flatMap((family) => {
    const serverEnds = new Map(
      topology.paths.map((path) => [serverAddress(topology, path, family), path.via.at(-1) ?? '']),
    );
    const isMesh = serverEnds.size > 1;
    if (node === server && isMesh) {
      return [...serverEnds].map(
        ([address, device]) => `mptcp endpoint add ${address} dev ${device} signal`,
      );
    }
    if (node !== clientOf(topology)) return [];
    const clientEnds = new Map(
      topology.paths.map((path) => [clientAddress(topology, path, family), path.via[0] ?? '']),
    );
    return [...clientEnds].map(
      ([address, device]) =>
        `mptcp endpoint add ${address} dev ${device} subflow${isMesh ? ' fullmesh' : ''}`,
    );
  });
  return node === server || node === clientOf(topology) ? [MPTCP_LIMITS, ...lines] : [];
}
