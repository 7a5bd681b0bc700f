import type { NodeSpec, Topology } from '../../scenario';
import {
  COUPLED_CONTROLS,
  findCoupledLoader,
  holdCoupledControls,
  PAIRED_CONTROLS,
} from '../coupled-controls';
import { LabError } from '../errors';
import { readSysctl } from '../netns';

/**
 * The congestion controls that the nodes name and the kernel has not loaded.
 * @throws LabError BAD_OPTION for one that neither the kernel nor this project has
 */
async function missingControls(nodes: readonly NodeSpec[]): Promise<string[]> {
  const text = await readSysctl(undefined, 'net.ipv4.tcp_available_congestion_control');
  const available = text.split(' ');
  const missing = nodes.filter(({ congestionControl }) => !available.includes(congestionControl));
  const loadable = [...COUPLED_CONTROLS, ...PAIRED_CONTROLS];
  const unknown = missing.find(({ congestionControl: name }) => !loadable.includes(name));
  if (unknown !== undefined) {
    throw new LabError(
      'BAD_OPTION',
      `the kernel does not have the congestion control ${unknown.congestionControl} of node ${unknown.id}; it has ${text}`,
      `load it: sudo modprobe tcp_${unknown.congestionControl}; or use a coupled one: ${COUPLED_CONTROLS.join(', ')}`,
    );
  }
  return [...new Set(missing.map(({ congestionControl }) => congestionControl))];
}

/**
 * Checks that this machine has the congestion controls of all nodes, without loading any.
 * @throws LabError BAD_OPTION for an unknown one; TOOL_MISSING for a coupled one that cannot be loaded
 */
export async function checkCongestionControls({ nodes }: Pick<Topology, 'nodes'>): Promise<void> {
  if ((await missingControls(nodes)).length > 0) findCoupledLoader();
}

/**
 * Loads the congestion controls that the nodes name and the kernel lacks. A namespace's routes may name every
 * loaded control, even one that its sysctl refuses.
 * @returns a function that removes the loaded ones
 * @throws LabError BAD_OPTION for an unknown one; TOOL_MISSING, BPF_MISSING, COMMAND_FAILED for a coupled one that
 * cannot be loaded
 */
export async function loadCongestionControls(
  nodes: readonly NodeSpec[],
): Promise<() => Promise<void>> {
  const names = await missingControls(nodes);
  return names.length === 0 ? () => Promise.resolve() : holdCoupledControls(names);
}
