import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WEB_OBJECT_BYTES } from '../../scenario';
import { startMediaServer } from '../media-server';
import { isInsideSandbox } from '../sandbox';
import { SANDBOX_DIR } from '../sandbox-command';
import { lostConnections, pacing, parseH2loadLog } from './h2load-log';
import type { TrafficPieces, TrafficSite } from './pieces';
import { Program } from './program';
import { readSocketTable, takePort } from './readiness';
import { openConnections } from './socket-table';

const BASE_PORT = 8100;
/** A connection without progress is closed after this time. */
const PATIENCE_S = 10;
/** Longer than any trial. */
const MAX_SECONDS = 2 * 3600;

/**
 * Web pages: `intensity` new connections per second, each for one object, independent of earlier ones. The
 * server is nginx at `from`, the client h2load (nghttp2) at `to`: it does the work of httperf, which is
 * unmaintained and uses a whole processor while it waits.
 */
export async function startWeb(site: TrafficSite): Promise<TrafficPieces> {
  const { spec, network, fromNetns, toNetns } = site;
  const objectBytes = spec.objectBytes ?? WEB_OBJECT_BYTES;
  const root = await mkdtemp(join(isInsideSandbox() ? SANDBOX_DIR : tmpdir(), 'web-'));
  await writeFile(join(root, 'object'), '');
  await truncate(join(root, 'object'), objectBytes);
  const { port, release } = await takePort(fromNetns, 'tcp', BASE_PORT);
  const removeRoot = (): Promise<void> => rm(root, { recursive: true, force: true });
  try {
    const server = await startMediaServer({
      ...(fromNetns === undefined ? {} : { netns: fromNetns }),
      root,
      address: site.fromAddress,
      port,
      congestionControl: network.congestionControlOf(spec.from),
      mptcp: false,
      onFailure: site.onEarlyEnd,
    });
    const pace = pacing(spec.intensity);
    const total = String(Math.ceil((MAX_SECONDS * 1000) / pace.periodMs) * pace.count);
    const logFile = join(site.dir, `${site.prefix}.requests.tsv`);
    let stopUnixMs = 0;
    let stillOpen = 0;
    try {
      const client = await Program.start(
        {
          dir: site.dir,
          name: `${site.prefix}.client`,
          netns: toNetns,
          argv: [
            ...['h2load', '--h1', '--requests', total, '--clients', total],
            ...['--rate', String(pace.count), `--rate-period=${pace.periodMs}ms`],
            ...[`--connection-inactivity-timeout=${PATIENCE_S}s`, `--log-file=${logFile}`],
            `${server.url}/object`,
          ],
        },
        site.onEarlyEnd,
      );
      return {
        program: 'h2load',
        programs: [client],
        beforeStop: async () => {
          // Before the table is read: connections that begin meanwhile are not expected to be in it.
          stopUnixMs = Date.now();
          stillOpen = openConnections(await readSocketTable(toNetns, 'tcp'), port);
        },
        afterStop: async () => {
          await server.stop();
          await removeRoot();
        },
        read: async () => {
          const answers = parseH2loadLog(await readFile(logFile, 'utf8'));
          const { completed, refused, meanMs, durationMs, firstUnixMs = stopUnixMs } = answers;
          const ranMs = stopUnixMs - firstUnixMs;
          const failed = refused + lostConnections(ranMs, pace, answers, stillOpen);
          const bits = completed * objectBytes * 8;
          return {
            requests: { completed, failed, meanMs },
            ...(durationMs > 0 ? { goodputBps: (bits / durationMs) * 1000 } : {}),
          };
        },
      };
    } catch (error) {
      await server.stop();
      throw error;
    }
  } catch (error) {
    await removeRoot();
    throw error;
  } finally {
    release();
  }
}
