// Link emulator: TCP goodput against the rate set, two links at once, the ceiling and queue delay by
// discipline. Also the lateness of packets, the share of a core, and the same bottleneck made of the kernel's
// tbf and bfifo.
// Needs root (or user namespaces with TUN) and iperf3.
// Run: node scripts/bench/link.mjs [seconds] [all|rates|two|ceiling|queues|compare] [--json]
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { BACKENDS, measureBackend } from './link-compare.mjs';
import { measureLinks, prepare } from './link-measure.mjs';
import { readOptionsAndWords, wrongOption } from '../setup/options.mjs';

const RATES_MBIT = [1, 5, 20, 50, 100, 200, 500, 1000];
const QUEUES = [
  'queue_bytes=375000',
  'queue=pie target_us=15000',
  'queue=fq_pie target_us=15000',
  'queue=codel target_us=5000',
  'queue=fq_codel target_us=5000',
];
const QUEUE_RATE_MBIT = 10;
const COMPARED_MBIT = [1, 5, 20, 100];
const PARTS = ['rates', 'two', 'ceiling', 'queues', 'compare'];

/** 50 ms of the rate, and no less than 40 full packets. */
const droptailBytes = (rateMbit) => Math.max(60_000, Math.round((rateMbit * 1e6 * 0.05) / 8));
const atRate = (rateMbit) => ({ rateMbit, queue: `queue_bytes=${droptailBytes(rateMbit)}` });

/** Links that are measured together. */
function groupsOf(part) {
  switch (part) {
    case 'rates':
      return RATES_MBIT.map((rateMbit) => [atRate(rateMbit)]);
    case 'two':
      return [
        [atRate(5), atRate(20)],
        [atRate(100), atRate(200)],
      ];
    case 'ceiling':
      return [[{ queue: 'queue_bytes=8000000' }]];
    default:
      // A sender that fills queues, whatever this machine's default is.
      return QUEUES.map((queue) => [{ rateMbit: QUEUE_RATE_MBIT, queue, congestion: 'cubic' }]);
  }
}

async function* measure(part, seconds) {
  if (part !== 'compare') {
    for (const group of groupsOf(part)) yield* await measureLinks(group, seconds);
    return;
  }
  for (const rateMbit of COMPARED_MBIT) {
    const link = { rateMbit, queueBytes: droptailBytes(rateMbit) };
    for (const backend of BACKENDS) yield await measureBackend(backend, link, seconds);
  }
}

function printCompared(row) {
  const start = `compare ${`${row.rateMbit} Mbit/s`.padEnd(13)}${row.backend.padEnd(10)}`;
  const share = `(${(row.shareOfIdeal * 100).toFixed(2)} %)`;
  console.log(
    row.skipped === undefined
      ? `${start}${`${row.goodputMbit} Mbit/s ${share}`.padEnd(28)}TCP rtt median ${row.rttMedianMs} ` +
          `p95 ${row.rttP95Ms} ms, full queue ${row.fullQueueMs} ms (${row.queueBytes} bytes)`
      : `${start}skipped: ${row.skipped}`,
  );
}

function print(part, row) {
  if (part === 'compare') {
    printCompared(row);
    return;
  }
  const rate = row.rateMbit === undefined ? 'unlimited' : `${row.rateMbit} Mbit/s`;
  const share = row.shareOfIdeal === undefined ? '' : ` (${(row.shareOfIdeal * 100).toFixed(2)} %)`;
  console.log(
    `${part.padEnd(8)}${rate.padEnd(13)}${`${row.goodputMbit} Mbit/s${share}`.padEnd(28)}` +
      `late p50 ${row.lateP50Us} p99 ${row.lateP99Us} us, queue ${row.queueDelayMeanMs} ms, ` +
      `emulator ${row.emulatorCpuPercent} % of a core, ${row.queue}`,
  );
}

const USAGE = `npm run bench -- link [SECONDS] [all|${PARTS.join('|')}] [--json]
  SECONDS   of each measurement (default 6)
  --json    the rows for machines`;
const { values, words } = readOptionsAndWords(USAGE, {
  json: { type: 'boolean', default: false },
  inside: { type: 'boolean', default: false },
});
const seconds = Number(words.find((word) => /^\d+$/.test(word)) ?? 6);
const wanted = words.find((word) => !/^\d+$/.test(word)) ?? 'all';
if (wanted !== 'all' && !PARTS.includes(wanted)) wrongOption(`there is no part "${wanted}"`, USAGE);
if (values.inside) {
  await prepare();
  for (const part of wanted === 'all' ? PARTS : [wanted]) {
    for await (const row of measure(part, seconds)) {
      if (values.json) console.log(JSON.stringify({ part, ...row }));
      else print(part, row);
    }
  }
} else {
  const user = process.getuid() === 0 ? [] : ['--user', '--map-root-user'];
  const namespaces = ['--mount', '--net', '--pid', '--fork', '--kill-child', '--mount-proc'];
  const self = [process.execPath, fileURLToPath(import.meta.url), ...process.argv.slice(2)];
  const child = spawn('unshare', [...user, ...namespaces, ...self, '--inside'], {
    stdio: 'inherit',
  });
  const [code] = await once(child, 'close');
  process.exitCode = code ?? 1;
}
