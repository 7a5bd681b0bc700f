import { setTimeout as sleep } from 'node:timers/promises';
import { loadNative } from '../../src/kernel';
import type { LabNetwork } from '../../src/lab';
import { WINDOW_STEP_MS, type WindowTrace } from './windows';

/**
 * Records the windows of the server's MPTCP connection, one path for each address of the client. iperf3 has a
 * connection for commands too, so the subflow that delivered most counts.
 * @param seconds from now
 */
export async function recordWindows(network: LabNetwork, seconds: number): Promise<WindowTrace> {
  const native = loadNative();
  const netns = network.netnsOf('server') ?? '';
  const clients = network.addressesOf('client');
  const paths: (number | null)[][] = clients.map(() => []);
  const startMs = performance.now();
  const samples = (seconds * 1000) / WINDOW_STEP_MS;
  for (let sample = 0; sample < samples; sample += 1) {
    await sleep(Math.max(0, startMs + sample * WINDOW_STEP_MS - performance.now()));
    const { subflows } = native.snapshot({ netns });
    for (const [path, address] of clients.entries()) {
      const tcp = subflows
        .filter(({ remote }) => remote.address === address)
        .map((subflow) => subflow.tcp)
        .sort((one, other) => (other?.bytesAcked ?? 0) - (one?.bytesAcked ?? 0))[0];
      paths[path]?.push(tcp?.sndCwndSegments ?? null);
    }
  }
  return { stepMs: WINDOW_STEP_MS, paths };
}
