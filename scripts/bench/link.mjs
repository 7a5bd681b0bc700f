// Link emulator: TCP goodput against the rate set, queue delay by discipline, and how late packets are handed over.
// Needs root (or user namespaces with TUN), iperf3. Run: node scripts/bench/link.mjs [seconds] [all|rates|queues]
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';

const run = promisify(execFile);
const file = fileURLToPath(new URL('../../native/build/mpd-link', import.meta.url));
const seconds = Number(process.argv[2] ?? 6);
const part = process.argv[3] ?? 'all';
const RATES_MBIT = [1, 5, 50, 200, 500, 1000];
const QUEUES = [
  'queue_bytes=375000',
  'queue=pie target_us=15000',
  'queue=fq_pie target_us=15000',
  'queue=codel target_us=5000',
  'queue=fq_codel target_us=5000',
];
const QUEUE_RATE_MBIT = 10;
/** Payload of a full packet: 1448 of 1500 bytes. */
const PAYLOAD_SHARE = 1448 / 1500;

async function measure(rateMbit, queue, congestion = []) {
  await run('ip', ['netns', 'add', 'server']);
  const link = spawn(file, { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: link.stdout })[Symbol.asyncIterator]();
  const next = async () => JSON.parse((await lines.next()).value);
  await next();
  link.stdin.write(
    `link p a.dev=p a.addr=10.77.1.2/24 b.netns=/run/netns/server b.dev=p b.addr=10.77.1.1/24 ` +
      `rate=${rateMbit * 1e6} delay_us=5000 ${queue}\n`,
  );
  const reply = await next();
  if (!reply.ok) throw new Error(`${reply.field} ${reply.error}`);
  const server = spawn('nsenter', ['--net=/run/netns/server', 'iperf3', '-s', '-1'], {
    stdio: 'ignore',
  });
  await sleep(500);
  const beforeCpu = await cpuMs(link.pid);
  const { stdout } = await run('iperf3', [
    '-c',
    '10.77.1.1',
    '-R',
    '-J',
    '-O',
    '1',
    '-t',
    `${seconds}`,
    ...congestion,
  ]);
  const usedCpuMs = (await cpuMs(link.pid)) - beforeCpu;
  link.stdin.write('stats\n');
  const stats = (await next()).links[0].ba;
  server.kill();
  link.stdin.end();
  await once(link, 'close');
  await run('ip', ['netns', 'delete', 'server']);
  const goodputBps = JSON.parse(stdout).end.sum_received.bits_per_second;
  return {
    rateMbit,
    goodputMbit: Number((goodputBps / 1e6).toFixed(3)),
    shareOfIdeal: Number((goodputBps / (rateMbit * 1e6 * PAYLOAD_SHARE)).toFixed(4)),
    queue,
    queueDelayMeanMs: stats.queueDelayMeanUs / 1000,
    queueDelayP99Ms: stats.queueDelayP99Us / 1000,
    lateMeanUs: stats.lateMeanUs,
    lateP50Us: stats.lateP50Us,
    lateP99Us: stats.lateP99Us,
    lateMaxUs: stats.lateMaxUs,
    cpuPercent: Number((usedCpuMs / (seconds + 1) / 10).toFixed(1)),
    queueDrops: stats.queueDrops,
  };
}

async function cpuMs(pid) {
  const { stdout } = await run('cat', [`/proc/${pid}/stat`]);
  const fields = stdout.slice(stdout.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

if (process.argv.includes('--inside')) {
  await run('mount', ['-t', 'tmpfs', 'tmpfs', '/run']);
  await run('ip', ['link', 'set', 'lo', 'up']);
  const print = async (...what) => console.log(JSON.stringify(await measure(...what)));
  for (const rateMbit of part === 'queues' ? [] : RATES_MBIT) {
    const queueBytes = Math.max(60_000, Math.round((rateMbit * 1e6 * 0.05) / 8));
    await print(rateMbit, `queue_bytes=${queueBytes}`);
  }
  for (const queue of part === 'rates' ? [] : QUEUES) {
    // A sender that fills queues, whatever this machine's default is.
    await print(QUEUE_RATE_MBIT, queue, ['-C', 'cubic']);
  }
} else {
  const user = process.getuid() === 0 ? [] : ['--user', '--map-root-user'];
  const namespaces = ['--mount', '--net', '--pid', '--fork', '--kill-child', '--mount-proc'];
  const self = [
    process.execPath,
    fileURLToPath(import.meta.url),
    String(seconds),
    part,
    '--inside',
  ];
  const child = spawn('unshare', [...user, ...namespaces, ...self], { stdio: 'inherit' });
  const [code] = await once(child, 'close');
  process.exitCode = code ?? 1;
}
