import { app } from 'electron';
import type { Transport } from '../../ports';
import { createLinuxFeed } from '../../transport';

/**
 * Watches the network under one stream. It sees only sockets of this app's own processes (Chromium's network
 * service among them), so two players on one machine do not see each other's paths.
 * @param onNote called with the unavailable kernel events and the reason
 */
export function openNetwork(onNote: (text: string) => void): Transport {
  const uid = process.getuid?.();
  return createLinuxFeed({
    owner: {
      pids: () => [process.pid, ...app.getAppMetrics().map((metric) => metric.pid)],
      ...(uid !== undefined && { uid }),
    },
    onNote: (note) => onNote(note.message),
  });
}
