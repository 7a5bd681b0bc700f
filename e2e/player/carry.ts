import type { SubflowSample } from '../../src/core';
import type { FakeTransport } from '../../src/ports/testing';

/** A sample of two networks, with the bytes that each has carried so far. @param origin of the server */
export function carry(
  network: FakeTransport,
  origin: string,
  bytesOf: [number, number],
  atMs: number,
): void {
  const { port } = new URL(origin);
  const subflow = (pathId: string, index: number): SubflowSample => ({
    subflowId: pathId,
    pathId,
    interfaceName: pathId,
    local: { address: `192.0.2.${index + 1}`, port: 1000 + index },
    remote: { address: '127.0.0.1', port: Number(port) },
    state: 'active',
    bytesReceived: bytesOf[index] ?? 0,
    rcvRttUs: 20_000,
  });
  network.setNowMs(atMs);
  network.emit({
    type: 'samples',
    batch: {
      monotonicMs: atMs,
      lostSamples: 0,
      connections: [
        {
          connectionId: 'm:1',
          kind: 'mptcp',
          local: { address: '192.0.2.1', port: 1000 },
          remote: { address: '127.0.0.1', port: Number(port) },
          inOrderBytes: bytesOf[0] + bytesOf[1],
          subflows: [subflow('wlan0', 0), subflow('wwan0', 1)],
        },
      ],
    },
  });
}
