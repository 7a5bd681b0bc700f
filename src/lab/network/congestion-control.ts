import type { NodeSpec } from '../../scenario';
import { LabError } from '../errors';
import { readSysctl } from '../netns';

/**
 * A namespace's routes may name every congestion control the kernel has loaded, also those its sysctl refuses.
 * @throws LabError BAD_OPTION for one that is not loaded
 */
export async function checkCongestionControls(nodes: readonly NodeSpec[]): Promise<void> {
  const available = await readSysctl(undefined, 'net.ipv4.tcp_available_congestion_control');
  for (const { id, congestionControl } of nodes) {
    if (available.split(' ').includes(congestionControl)) continue;
    throw new LabError(
      'BAD_OPTION',
      `the kernel does not have the congestion control ${congestionControl} of node ${id}; it has ${available}`,
      `load it: sudo modprobe tcp_${congestionControl}`,
    );
  }
}
