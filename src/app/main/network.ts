import { app } from 'electron';
import type { Transport } from '../../ports';
import { createLinuxFeed } from '../../transport';

/**
 * Watches the network under one stream: only sockets of this app's own processes (Chromium's network
 * service among them), so that two players on one machine do not see each other's paths.
 * @param onNote told which kernel events cannot be had, and why
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
