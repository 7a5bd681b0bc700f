import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  ControllerView,
  type ClientOutcome,
  type GeneticKernelJob,
  patienceMs,
  READ_MS,
  streamSetUp,
  type StreamOutcome,
  type StreamSetUp,
  SUBFLOWS,
  type SwitchPath,
  type Watched,
} from '../../experiments';
import { loadNative } from '../../kernel';
import {
  buildNetwork,
  inNetns,
  ipBatch,
  type LabNetwork,
  type MediaServer,
  MPTCP_LIMITS,
  mptcpizeEnv,
  runCommand,
  SANDBOX_DIR,
  setSysctls,
  startMediaServer,
} from '../../lab';
import type { MediaSizes } from '../../scenario';
import { ownProgram } from '../host';
import { answerInside } from '../kernel-jobs';
import {
  subflowRoutes,
  switchLink,
  switchTopology,
  viewerLink,
  viewerNode,
} from './switch-topology';
import type { FilmRequest } from './watch-film';

const PORT = 8080;
const FILE = 'segment';
/** A subflow that sent this much carried media: more than a handshake and a probe. */
const MIN_BYTES = 10_000;

/** A network of switches with its controller, and the viewers in it. */
class Audience {
  readonly #job: GeneticKernelJob;
  readonly #setUp: StreamSetUp;
  readonly #network: LabNetwork;
  readonly #view: ControllerView;
  readonly #program: readonly string[];
  readonly #native = loadNative();
  readonly #startMs = performance.now();
  /** Most bytes that a subflow to an address of a client had sent. */
  readonly #sentBytes = new Map<string, number>();

  constructor(
    job: GeneticKernelJob,
    setUp: StreamSetUp,
    network: LabNetwork,
    program: readonly string[],
  ) {
    this.#job = job;
    this.#setUp = setUp;
    this.#network = network;
    this.#view = new ControllerView(setUp.links);
    this.#program = program;
  }

  /** The controller's periodic reading of all counters. */
  async read(): Promise<void> {
    const all = new Map((await this.#network.linkStats()).map((one) => [one.name, one]));
    this.#view.read(
      this.#setUp.graph.links.map((_, link) => {
        const found = all.get(switchLink(link));
        return [found?.ab.outBytes ?? 0, found?.ba.outBytes ?? 0];
      }),
      performance.now() - this.#startMs,
    );
    this.#countSubflows();
  }

  /** A client joins: the controller chooses its paths and installs their routes; then it watches. */
  async join(client: number, signal: AbortSignal): Promise<ClientOutcome> {
    const chosen = this.#setUp.choose(this.#view, client);
    this.#view.take(client, chosen);
    const addresses = this.#network.addressesOf(viewerNode(client));
    await this.#connect(client, chosen, addresses);
    const watched = await this.#watch(client, addresses[0] ?? '', signal);
    this.#countSubflows();
    this.#view.release(client);
    const carried = addresses.filter((one) => (this.#sentBytes.get(one) ?? 0) >= MIN_BYTES);
    return { ...watched, subflows: carried.length };
  }

  #countSubflows(): void {
    const { netns = '' } = this.#network.server;
    for (const { remote, tcp } of this.#native.snapshot({ netns }).subflows) {
      const before = this.#sentBytes.get(remote.address) ?? 0;
      this.#sentBytes.set(remote.address, Math.max(before, tcp?.bytesSent ?? 0));
    }
  }

  async #connect(
    client: number,
    chosen: readonly SwitchPath[],
    addresses: readonly string[],
  ): Promise<void> {
    const netns = this.#network.netnsOf(viewerNode(client));
    const { receiveBufferBytes } = this.#job;
    await setSysctls(netns, [
      ['net.mptcp.enabled', '1'],
      ['net.ipv4.tcp_rmem', `4096 ${receiveBufferBytes} ${receiveBufferBytes}`],
    ]);
    const further = addresses.slice(1, chosen.length);
    await ipBatch(netns, [
      MPTCP_LIMITS,
      ...further.map(
        (address, index) =>
          `mptcp endpoint add ${address} dev ${viewerLink(client, index + 1)} subflow`,
      ),
    ]);
    const { address } = this.#network.server;
    await this.#network.route(subflowRoutes(client, chosen, addresses, address));
  }

  async #watch(client: number, localAddress: string, signal: AbortSignal): Promise<Watched> {
    const url = `http://${this.#network.server.address}:${PORT}/${FILE}`;
    const request: FilmRequest = { url, localAddress, film: this.#setUp.film };
    const netns = this.#network.netnsOf(viewerNode(client));
    const argv = [...this.#program, 'experiment', 'genetic-viewer', JSON.stringify(request)];
    const env = { ...process.env, ...(await mptcpizeEnv()) };
    const output = await runCommand(...inNetns(netns, argv), { env, signal });
    return JSON.parse(output) as Watched;
  }
}

async function stream(
  job: GeneticKernelJob,
  program: readonly string[],
  signal: AbortSignal,
): Promise<StreamOutcome> {
  const setUp = streamSetUp(job);
  const network = await buildNetwork(switchTopology(setUp, SUBFLOWS), { seed: job.seed });
  const stop = new AbortController();
  const ended = AbortSignal.any([signal, stop.signal]);
  let server: MediaServer | undefined;
  try {
    server = await startMediaServer({
      ...network.server,
      root: await writeSegment(setUp.film),
      port: PORT,
    });
    const audience = new Audience(job, setUp, network, program);
    const viewers = setUp.places.map(async (_, client) => {
      await sleep(client * job.joinMs, undefined, { signal: ended });
      return audience.join(client, ended);
    });
    const limitMs = patienceMs(job);
    const tooLong = sleep(limitMs, undefined, { signal: ended }).then((): never => {
      throw new Error(`the films are not over after ${limitMs / 1000} s`);
    });
    const clients = await Promise.race([
      Promise.all(viewers),
      readUntil(ended, () => audience.read()),
      tooLong,
    ]);
    return { kind: 'stream', clients };
  } finally {
    stop.abort();
    await server?.stop().catch(() => undefined);
    await network.close();
  }
}

/** Writes a file as long as the largest segment. @returns its folder */
async function writeSegment(film: MediaSizes): Promise<string> {
  const root = path.join(SANDBOX_DIR, 'film');
  await mkdir(root);
  const largest = Math.max(...film.video.flatMap(({ bytes }) => bytes));
  await writeFile(path.join(root, FILE), Buffer.alloc(largest));
  return root;
}

/** Reads every {@link READ_MS} until the signal. @throws what a reading throws, else the signal's reason */
async function readUntil(signal: AbortSignal, read: () => Promise<void>): Promise<never> {
  for (;;) {
    await sleep(READ_MS, undefined, { signal });
    await read();
  }
}

/**
 * `experiment genetic-run JOB`: one run of `experiment genetic --backend kernel`, inside its sandbox. Prints its outcome.
 * @param program with the command `experiment genetic-viewer REQUEST`
 */
export async function streamInside(text: string, program = ownProgram()): Promise<void> {
  await answerInside('genetic', (signal) =>
    stream(JSON.parse(text) as GeneticKernelJob, program, signal),
  );
}
