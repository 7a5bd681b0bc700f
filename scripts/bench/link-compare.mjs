// The same bottleneck made by the emulator and by the kernel's tbf and bfifo on a veth pair, from the same options by
// the lab's two backends. One bulk TCP flow from a host behind a router loads each: a sender's own qdisc never fills,
// because the kernel keeps TCP from it. Used inside namespaces by link.mjs. The hand calculation: a full queue delays
// by its bytes times 8 over the rate, and of each 1500 bytes 1448 are payload.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { tsImport } from 'tsx/esm/api';
import { quantileTenths } from './quantile.mjs';

const run = promisify(execFile);
const load = (file) => tsImport(`../../src/lab/${file}`, import.meta.url);
const { kernelLinkCommands } = await load('link-kernel-plan.ts');
const { linkCommand } = await load('emulator-protocol-commands.ts');
const emulator = fileURLToPath(new URL('../../native/build/mpd-link', import.meta.url));
const NEAR = '/run/netns/near';
const FAR = '/run/netns/far';
const FAR_ADDRESS = '10.78.0.1';
const PAYLOAD_SHARE = 1448 / 1500;
const OMIT_SECONDS = 3;
const SAMPLE_SECONDS = 0.1;

const inside = (netns, ...argv) => ['nsenter', [`--net=${netns}`, ...argv]];
const near = (...argv) => run(...inside(NEAR, ...argv));

/** near - router (here) - far; the link between router and far is what is compared. */
async function makeHosts() {
  for (const name of ['near', 'far']) await run('ip', ['netns', 'add', name]);
  await run('sysctl', ['-qw', 'net.ipv4.ip_forward=1']);
  await run('ip', ['link', 'add', 'n0', 'type', 'veth', 'peer', 'name', 'n1', 'netns', NEAR]);
  await run('ip', ['address', 'add', '10.79.0.1/24', 'dev', 'n0']);
  await run('ip', ['link', 'set', 'n0', 'up']);
  await near('ip', 'address', 'add', '10.79.0.2/24', 'dev', 'n1');
  // One packet at a time, as the links' own ends have it.
  await near('ip', 'link', 'set', 'n1', 'gso_max_segs', '1', 'up');
  await near('ip', 'route', 'add', 'default', 'via', '10.79.0.1');
}

async function removeHosts() {
  // A namespace is removed in the background, and its content a moment after its name.
  await run('ip', ['link', 'delete', 'n0']);
  for (const name of ['near', 'far']) await run('ip', ['netns', 'delete', name]);
}

/** Each creates the link and returns a function that removes it. */
const makers = {
  async emulator(options) {
    const child = spawn(emulator, { stdio: ['pipe', 'pipe', 'inherit'] });
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    await lines.next();
    child.stdin.write(`${linkCommand(options).trim()}\n`);
    const reply = JSON.parse((await lines.next()).value);
    if (!reply.ok) throw new Error(`${reply.field} ${reply.error}`);
    return async () => {
      child.stdin.end();
      await once(child, 'close');
    };
  },
  async kernel(options) {
    for (const { netns, argv } of kernelLinkCommands(options, 0)) {
      const [program, args] =
        netns === undefined ? [argv[0], argv.slice(1)] : inside(netns, ...argv);
      await run(program, args);
    }
    return () => run('ip', ['link', 'delete', options.a.device]);
  },
};

export const BACKENDS = Object.keys(makers);

function describe(backend, { rateBps, queueBytes }, report) {
  const goodputBps = report.end.sum_received.bits_per_second;
  const rttsMs = report.intervals
    .filter(({ sum }) => !sum.omitted)
    .map(({ streams }) => streams[0].rtt / 1000);
  return {
    backend,
    rateMbit: rateBps / 1e6,
    goodputMbit: Number((goodputBps / 1e6).toFixed(3)),
    shareOfIdeal: Number((goodputBps / (rateBps * PAYLOAD_SHARE)).toFixed(4)),
    queueBytes,
    fullQueueMs: Number(((queueBytes * 8e3) / rateBps).toFixed(1)),
    rttMedianMs: quantileTenths(rttsMs, 0.5),
    rttP95Ms: quantileTenths(rttsMs, 0.95),
  };
}

/**
 * @param link { rateMbit, queueBytes }: one direction, without any delay but the queue's
 * @returns a row, or `{ backend, skipped }` if the kernel has no such qdisc
 */
export async function measureBackend(backend, { rateMbit, queueBytes }, seconds) {
  const options = {
    name: 'p0',
    a: { device: 'p0', address: '10.78.0.2/24' },
    b: { netns: FAR, device: 'p0', address: `${FAR_ADDRESS}/24` },
    seed: 1,
    rateBps: rateMbit * 1e6,
    queueBytes,
    delayMs: 0,
    ba: { rateBps: null, queueBytes: 10_000_000 },
  };
  await makeHosts();
  try {
    const takeDown = await makers[backend](options);
    await run(...inside(FAR, 'ip', 'route', 'replace', 'default', 'via', '10.78.0.2'));
    const listener = inside(FAR, 'iperf3', '-s', '-1', '-B', FAR_ADDRESS);
    const server = spawn(...listener, { stdio: 'ignore' });
    await sleep(500);
    const times = ['-O', `${OMIT_SECONDS}`, '-t', `${seconds}`, '-i', `${SAMPLE_SECONDS}`];
    const { stdout } = await run(
      ...inside(NEAR, 'iperf3', '-c', FAR_ADDRESS, '-C', 'cubic', '-J', ...times),
      { maxBuffer: 2 ** 26 },
    );
    server.kill();
    await takeDown();
    return describe(backend, options, JSON.parse(stdout));
  } catch (error) {
    if (!/qdisc kind is unknown|Unknown qdisc/i.test(error.stderr ?? '')) throw error;
    return { backend, rateMbit, skipped: `this kernel has no sch_tbf: ${error.stderr.trim()}` };
  } finally {
    await removeHosts();
  }
}
