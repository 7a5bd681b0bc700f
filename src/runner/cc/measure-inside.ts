import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  kernelControl,
  kernelOutcome,
  type CcJob,
  type CcOutcome,
  type LinkCount,
} from '../../experiments';
import { loadNative } from '../../kernel';
import { buildNetwork, type LabNetwork, mptcpizeEnv, SANDBOX_DIR } from '../../lab';
import { expandTopology } from '../../scenario';
import { answerInside } from '../kernel-jobs';
import { watchDownload } from './watch-download';

const PORT = 5201;
const RECORD_FILE = `${SANDBOX_DIR}/sequence`;
/** The download lasts until it is ended: longer than any run. */
const ENDLESS_SECONDS = 3600;
/** More than iperf3 exchanges before the download. */
const MIN_BYTES = 20_000;

/** The client's receive buffer never limits the sender: 6 MB from the start, as in the simulator. */
const RECEIVE_BUFFER = 'net.ipv4.tcp_rmem=4096 6291456 6291456';

const linkNames = (job: CcJob): string[] => job.paths.map((_, index) => `path${index + 1}`);

/** The download: iperf3 in reverse, so that the server of the lab sends. */
async function startDownload(
  network: LabNetwork,
  links: readonly string[],
): Promise<ChildProcess[]> {
  const server = network.netnsOf('server') ?? '';
  const env = { ...process.env, ...(await mptcpizeEnv()) };
  const programs: ChildProcess[] = [];
  const start = (argv: readonly string[], environment: NodeJS.ProcessEnv): ChildProcess => {
    const [command = '', ...args] = argv;
    const child = spawn(command, args, { env: environment, stdio: 'ignore' });
    programs.push(child);
    return child;
  };
  await once(start(['sysctl', '-qw', RECEIVE_BUFFER], process.env), 'close');
  // Without it a loss takes a burst of one connection.
  for (const link of links) {
    const segments = ['ip', 'link', 'set', 'dev', link, 'gso_max_segs', '1'];
    await once(start(['nsenter', `--net=${server}`, '--', ...segments], process.env), 'close');
  }
  start(['nsenter', `--net=${server}`, '--', 'iperf3', '-s', '-p', String(PORT)], env);
  // iperf3 does not report when it listens.
  await sleep(400);
  const { address } = network.server;
  const seconds = String(ENDLESS_SECONDS);
  start(['iperf3', '-c', address, '-p', String(PORT), '-R', '-i', '0', '-t', seconds], env);
  return programs;
}

/** Packets and drops on the way to the client, by link. */
async function countLinks(network: LabNetwork, links: readonly string[]): Promise<LinkCount[]> {
  const all = await network.linkStats();
  return links.map((name) => {
    const down = all.find((one) => one.name === name)?.ba;
    if (down === undefined) throw new Error(`the emulator has no link ${name}`);
    const { inPackets, queueDrops, lossDrops, stateDrops } = down;
    return { inPackets, drops: queueDrops + lossDrops + stateDrops };
  });
}

/** Measures one run in the lab, which must be this process's sandbox. */
async function measure(job: CcJob, signal: AbortSignal): Promise<CcOutcome> {
  const links = linkNames(job);
  const topology = expandTopology({
    kind: 'multihomed',
    paths: job.paths.map((path, index) => ({ id: links[index] ?? '', ...path })),
    congestionControls: { server: kernelControl(job.control) },
  });
  const network = await buildNetwork(topology, { seed: job.seed, recordFile: RECORD_FILE });
  let programs: ChildProcess[] = [];
  try {
    programs = await startDownload(network, links);
    const before = await countLinks(network, links);
    const samples = await watchDownload({
      ...{ native: loadNative(), network, durationMs: job.durationMs, signal },
      minBytes: MIN_BYTES,
      // Rates follow the trace from the first data on.
      onStart: () => network.restart(),
    });
    const after = await countLinks(network, links);
    for (const program of programs) program.kill('SIGKILL');
    // The record is complete once the emulator has ended.
    await network.close();
    return kernelOutcome(job, {
      samples,
      links: after.map(({ inPackets, drops }, index) => ({
        inPackets: inPackets - (before[index]?.inPackets ?? 0),
        drops: drops - (before[index]?.drops ?? 0),
      })),
      record: await readFile(RECORD_FILE, 'utf8'),
      linkNames: links,
    });
  } catch (error) {
    for (const program of programs) program.kill('SIGKILL');
    await network.close().catch(() => undefined);
    throw error;
  }
}

/** `experiment cc-run JOB`: one run of `experiment cc --backend kernel`, inside its sandbox. Prints its outcome. */
export async function measureInside(text: string): Promise<void> {
  await answerInside('cc', (signal) => measure(JSON.parse(text) as CcJob, signal));
}
