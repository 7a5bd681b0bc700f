import { ensureDemoMedia } from '../../lab';
import { mediaProgress } from '../../runner/host';

/**
 * Makes the demo's media, or finds them in the cache. Reports its progress on standard error.
 * @returns the folder to serve
 */
export async function mediaFolder(seconds: number, signal: AbortSignal): Promise<string> {
  const { dir } = await ensureDemoMedia({ seconds, signal, onProgress: mediaProgress() });
  return dir;
}
