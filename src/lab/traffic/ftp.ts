import { readFile } from 'node:fs/promises';
import { readSysctl } from '../netns';
import { parseIperf } from './iperf-output';
import type { TrafficPieces, TrafficSite } from './pieces';
import { Program } from './program';
import { takePort, waitUntilListening } from './readiness';

/** iperf3's default port, from which a free one is searched. */
const BASE_PORT = 5201;

/** Bulk TCP: iperf3 sends from `from` until it is stopped. */
export async function startFtp(site: TrafficSite): Promise<TrafficPieces> {
  const { spec, network, toNetns, fromNetns } = site;
  const wanted = network.congestionControlOf(spec.from);
  const available = await readSysctl(fromNetns, 'net.ipv4.tcp_available_congestion_control');
  const isAvailable = available.split(/\s+/).includes(wanted);
  const { port, release } = await takePort(toNetns, 'tcp', BASE_PORT);
  const at = { dir: site.dir };
  const receiver = await Program.start(
    {
      ...at,
      name: `${site.prefix}.receiver`,
      netns: toNetns,
      argv: [
        ...['iperf3', '--server', '--one-off', '--bind', site.toAddress],
        ...['--port', String(port), '--json'],
      ],
      // A signal while it writes its report of three minutes leaves no report.
      endsWithPeer: true,
    },
    site.onEarlyEnd,
  );
  try {
    await waitUntilListening(receiver, toNetns, 'tcp', port);
    const sender = await Program.start(
      {
        ...at,
        name: `${site.prefix}.sender`,
        netns: fromNetns,
        argv: [
          ...['iperf3', '--client', site.toAddress, '--port', String(port), '--json'],
          // Endless; a signal ends it.
          ...['--time', '0', '--parallel', String(spec.intensity)],
          ...(isAvailable ? ['--congestion', wanted] : []),
          ...(spec.rateBps === undefined ? [] : ['--bitrate', String(spec.rateBps)]),
        ],
      },
      site.onEarlyEnd,
    );
    return {
      program: 'iperf3',
      programs: [sender, receiver],
      read: async () => {
        const result = parseIperf(
          await readFile(sender.outFile, 'utf8'),
          await readFile(receiver.outFile, 'utf8'),
        );
        const used = result.congestionControl ?? 'unknown';
        const note = `the sender uses ${used}, not ${wanted}; run: sudo modprobe tcp_${wanted}`;
        return {
          goodputBps: result.goodputBps,
          ...(used === wanted ? {} : { notes: [note] }),
        };
      },
    };
  } catch (error) {
    await receiver.stop();
    throw error;
  } finally {
    release();
  }
}
