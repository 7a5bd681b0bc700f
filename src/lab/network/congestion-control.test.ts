import { expect, it } from 'vitest';
import type { NodeSpec } from '../../scenario';
import { checkCongestionControls } from './congestion-control';

const nodes = (congestionControl: string): { nodes: NodeSpec[] } => ({
  nodes: [{ id: 'server', role: 'server', congestionControl }],
});

it('accepts a congestion control that every kernel has', async () => {
  await expect(checkCongestionControls(nodes('reno'))).resolves.toBeUndefined();
});

it('refuses one that neither the kernel nor this project has, and names the node', async () => {
  const refusal = checkCongestionControls(nodes('bbr9'));
  await expect(refusal).rejects.toThrow(/congestion control bbr9 of node server[^]*tcp_bbr9/);
});
