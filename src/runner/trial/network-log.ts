import { closeSync, openSync, writeSync } from 'node:fs';
import type { LabNetwork } from '../../lab';

/**
 * Writes the queues' statistics to a file, one sample of all links a line: `{"monotonicMs": ..., "links":
 * [...]}`, each link in the emulator's form.
 * @returns the function that ends it
 */
export async function logNetwork(
  network: Pick<LabNetwork, 'watch'>,
  periodMs: number,
  file: string,
  onFailure: (error: unknown) => void,
): Promise<() => Promise<void>> {
  const fd = openSync(file, 'w');
  let usable = true;
  const close = (): void => {
    if (usable) closeSync(fd);
    usable = false;
  };
  try {
    const stop = await network.watch(periodMs, (monotonicMs, links) => {
      if (!usable) return;
      try {
        const line = Buffer.from(`${JSON.stringify({ monotonicMs, links })}\n`);
        for (let done = 0; done < line.length;) done += writeSync(fd, line, done);
      } catch (error) {
        close();
        onFailure(error);
      }
    });
    return async () => {
      try {
        await stop();
      } finally {
        close();
      }
    };
  } catch (error) {
    close();
    throw error;
  }
}
