// One emulator process, one or more links, a bulk TCP download over each. Used inside namespaces by link.mjs.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const emulator = fileURLToPath(new URL('../../native/build/mpd-link', import.meta.url));
/** Payload of a full packet: 1448 of 1500 bytes. */
const PAYLOAD_SHARE = 1448 / 1500;
const NAMESPACE = 'server';

/** User and system time a process has used. */
async function cpuMs(pid) {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

function round(value, digits) {
  return Number(value.toFixed(digits));
}

function describe(link, report, stats, cpuPercent) {
  const goodputBps = report.end.sum_received.bits_per_second;
  const rateBps = link.rateMbit === undefined ? undefined : link.rateMbit * 1e6;
  return {
    ...(rateBps === undefined ? { rate: 'unlimited' } : { rateMbit: link.rateMbit }),
    goodputMbit: round(goodputBps / 1e6, 3),
    ...(rateBps === undefined
      ? {}
      : { shareOfIdeal: round(goodputBps / (rateBps * PAYLOAD_SHARE), 4) }),
    queue: link.queue,
    queueDelayMeanMs: stats.queueDelayMeanUs / 1000,
    queueDelayP99Ms: stats.queueDelayP99Us / 1000,
    lateP50Us: stats.lateP50Us,
    lateP99Us: stats.lateP99Us,
    lateMaxUs: stats.lateMaxUs,
    queueDrops: stats.queueDrops,
    emulatorCpuPercent: cpuPercent,
  };
}

/**
 * @param links [{ rateMbit?, queue, congestion? }]: all at once, each with a bulk flow towards the client
 * @returns one object a link; `emulatorCpuPercent` is of one core and for the whole process
 */
export async function measureLinks(links, seconds) {
  await run('ip', ['netns', 'add', NAMESPACE]);
  const process = spawn(emulator, { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: process.stdout })[Symbol.asyncIterator]();
  const next = async () => JSON.parse((await lines.next()).value);
  await next();
  const servers = [];
  for (const [index, { rateMbit, queue }] of links.entries()) {
    const rate = rateMbit === undefined ? '-' : rateMbit * 1e6;
    process.stdin.write(
      `link p${index} a.dev=p${index} a.addr=10.77.${index}.2/24 b.netns=/run/netns/${NAMESPACE} ` +
        `b.dev=p${index} b.addr=10.77.${index}.1/24 rate=${rate} delay_us=5000 ${queue}\n`,
    );
    const reply = await next();
    if (!reply.ok) throw new Error(`${reply.field} ${reply.error}`);
    const inside = [`--net=/run/netns/${NAMESPACE}`, 'iperf3', '-s', '-1', '-B'];
    servers.push(spawn('nsenter', [...inside, `10.77.${index}.1`], { stdio: 'ignore' }));
  }
  await sleep(500);
  const beforeMs = await cpuMs(process.pid);
  const outputs = await Promise.all(
    links.map(({ congestion }, index) =>
      run('iperf3', [
        ...['-c', `10.77.${index}.1`, '-R', '-J', '-O', '1', '-t', `${seconds}`],
        ...(congestion === undefined ? [] : ['-C', congestion]),
      ]),
    ),
  );
  const cpuPercent = round(((await cpuMs(process.pid)) - beforeMs) / (seconds + 1) / 10, 1);
  process.stdin.write('stats\n');
  const stats = (await next()).links;
  for (const server of servers) server.kill();
  process.stdin.end();
  await once(process, 'close');
  await run('ip', ['netns', 'delete', NAMESPACE]);
  return links.map((link, index) =>
    describe(link, JSON.parse(outputs[index].stdout), stats[index].ba, cpuPercent),
  );
}

/** A namespace of its own to work in. */
export async function prepare() {
  await run('mount', ['-t', 'tmpfs', 'tmpfs', '/run']);
  await run('ip', ['link', 'set', 'lo', 'up']);
}
