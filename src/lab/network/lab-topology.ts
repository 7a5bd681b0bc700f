import { clientOf, type Name, type Topology } from '../../scenario';
import { LabError } from '../errors';
import type { LabTopology } from './addresses';

/**
 * The topology for a player that may use some paths only: the client has no link for the others, so that no
 * program can use them. Links behind the client stay, with their traffic.
 * @throws LabError BAD_OPTION for an unknown path
 */
export function labTopology(topology: Topology, usePaths?: readonly Name[]): LabTopology {
  const linkNumbers = new Map(topology.links.map(({ id }, index) => [id, index + 1]));
  if (usePaths === undefined) return { ...topology, linkNumbers };
  for (const id of usePaths) {
    if (topology.paths.some((path) => path.id === id)) continue;
    const known = topology.paths.map((path) => path.id).join(', ');
    throw new LabError('BAD_OPTION', `there is no path ${id}; there are ${known}`);
  }
  if (usePaths.length === 0) throw new LabError('BAD_OPTION', 'a player needs at least one path');
  const paths = topology.paths.filter(({ id }) => usePaths.includes(id));
  const kept = paths.map(({ via }) => via[0]);
  const dropped = topology.paths.map(({ via }) => via[0]).filter((id) => !kept.includes(id));
  const client = clientOf(topology);
  return {
    ...topology,
    linkNumbers,
    links: topology.links.filter(({ id }) => !dropped.includes(id)),
    routes: topology.routes.filter(
      ({ from, to, via }) =>
        (from !== client && to !== client) || !via.some((id) => dropped.includes(id)),
    ),
    paths,
  };
}
