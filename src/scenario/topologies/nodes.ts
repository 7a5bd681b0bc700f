import { TopologyError } from '../topology-error';
import { checkCongestionControl } from '../topology-names';
import type { CommonOptions, GraphNodeOptions } from '../topology-source';
import type { NodeSpec } from '../types';

const DEFAULT_CONGESTION_CONTROL = 'cubic';

/**
 * Nodes with the congestion control that the options give them.
 * @throws TopologyError if the options name an unknown node
 */
export function makeNodes(nodes: readonly GraphNodeOptions[], common: CommonOptions): NodeSpec[] {
  const byNode = common.congestionControls ?? {};
  if (common.congestionControl !== undefined) {
    checkCongestionControl(common.congestionControl, ['congestionControl']);
  }
  for (const [name, control] of Object.entries(byNode)) {
    checkCongestionControl(control, ['congestionControls', name]);
    if (nodes.some(({ id }) => id === name)) continue;
    const known = nodes.map(({ id }) => id).join(', ');
    throw new TopologyError(
      ['congestionControls', name],
      `there is no node ${name}; there are ${known}`,
    );
  }
  return nodes.map((node) => ({
    ...node,
    congestionControl:
      node.congestionControl ??
      byNode[node.id] ??
      common.congestionControl ??
      DEFAULT_CONGESTION_CONTROL,
  }));
}
