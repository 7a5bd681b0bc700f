import { mkdir, truncate, writeFile } from 'node:fs/promises';
import { SANDBOX_DIR, startMediaServer, type LabNetwork, type MediaServer } from '../../src/lab';

/** More than any case carries. */
export const ENDLESS_BYTES = 2e9;

/** Serves one file of zeros, `file`, in a sandbox of its own. */
export async function serveFile(network: LabNetwork, bytes: number): Promise<MediaServer> {
  const root = `${SANDBOX_DIR}/root`;
  await mkdir(root);
  await writeFile(`${root}/file`, '');
  await truncate(`${root}/file`, bytes);
  return startMediaServer({ ...network.server, root, port: 8080 });
}

/** IP bytes to the client over each path so far. */
export async function carriedBytes(network: LabNetwork): Promise<number[]> {
  const links = await network.linkStats();
  return links.map(({ ab, ba }) => Math.max(ab.outBytes, ba.outBytes));
}
