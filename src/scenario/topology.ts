import { expandDumbbell } from './topologies/dumbbell';
import { expandGraph } from './topologies/graph';
import { expandMultihomed } from './topologies/multihomed';
import { expandSharedBottleneck } from './topologies/shared-bottleneck';
import { expandThreePath } from './topologies/three-path';
import type { TopologySource } from './topology-source';
import type { Topology } from './types';

/**
 * Nodes, links, routes and paths of a topology written by its kind.
 * @throws TopologyError that names the wrong field of `source`
 */
export function expandTopology(source: TopologySource): Topology {
  switch (source.kind) {
    case 'multihomed':
      return expandMultihomed(source);
    case 'dumbbell':
      return expandDumbbell(source);
    case 'three-path':
      return expandThreePath(source);
    case 'shared-bottleneck':
      return expandSharedBottleneck(source);
    case 'graph':
      return expandGraph(source);
  }
}
