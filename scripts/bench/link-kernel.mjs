// The emulator beside the kernel's own netem, tbf, pie, fq_pie, codel and fq_codel, in one virtual machine with
// a Debian kernel. This machine's kernel need not have the modules. Links are
// made from the same options by the lab's two backends. Needs no root, nothing is installed: the kernel comes through
// `apt-get download` into a temporary folder that is removed at the end.
// Run: node scripts/bench/link-kernel.mjs [seconds a trial] [--kernel=FOLDER] [--json]
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { guestScript, parseConsole } from './link-kernel-guest.mjs';
import { fetchKernel, missing, runMachine } from './link-kernel-vm.mjs';
import { quantileTenths } from './quantile.mjs';
import { readOptionsAndWords, wrongOption } from '../setup/options.mjs';

const RATE_MBIT = 5;
const DELAY_MS = 20;
/** 100 ms of the rate. */
const DROPTAIL_BYTES = 62_500;
const QUEUES = [
  { discipline: 'droptail' },
  { discipline: 'pie', targetMs: 15 },
  { discipline: 'fq_pie', targetMs: 15 },
  { discipline: 'codel', targetMs: 5 },
  { discipline: 'fq_codel', targetMs: 5 },
];
const PAYLOAD_SHARE = 1448 / 1500;
const USAGE = `node scripts/bench/link-kernel.mjs [seconds] [--kernel=FOLDER] [--json]
  seconds           of bulk TCP for each of ${QUEUES.length * 2} trials, 20 by default
  --kernel=FOLDER   a linux-image package unpacked before (dpkg -x), in place of one fetched by apt
  --json            a line of JSON for each trial`;

function rowOf({ backend, queue }, { goodputMbit, bulkDelaysMs, lightDelaysMs }) {
  return {
    backend,
    discipline: queue.discipline,
    targetMs: queue.targetMs ?? null,
    goodputMbit: Number(goodputMbit.toFixed(3)),
    shareOfIdeal: Number((goodputMbit / (RATE_MBIT * PAYLOAD_SHARE)).toFixed(4)),
    bulkDelayMedianMs: quantileTenths(bulkDelaysMs, 0.5),
    bulkDelayP95Ms: quantileTenths(bulkDelaysMs, 0.95),
    pingDelayMedianMs: quantileTenths(lightDelaysMs, 0.5),
    pingDelayP95Ms: quantileTenths(lightDelaysMs, 0.95),
  };
}

function print(rows, kernel) {
  console.log(
    `${RATE_MBIT} Mbit/s, ${DELAY_MS} ms each way, 2 cubic flows and a ping, on ${kernel}; droptail ${DROPTAIL_BYTES} ` +
      `bytes: full at ${(DROPTAIL_BYTES * 8) / RATE_MBIT / 1000} ms\n` +
      'discipline target  backend   goodput Mbit/s  TCP delay median p95 ms  ping delay median p95 ms',
  );
  for (const row of rows) {
    const goodput = `${row.goodputMbit.toFixed(2)} (${(row.shareOfIdeal * 100).toFixed(1)} %)`;
    console.log(
      `${row.discipline.padEnd(11)}${`${row.targetMs ?? '-'}`.padStart(3)} ms   ${row.backend.padEnd(10)}` +
        `${goodput.padEnd(18)}${`${row.bulkDelayMedianMs}`.padStart(8)}${`${row.bulkDelayP95Ms}`.padStart(8)}` +
        `${`${row.pingDelayMedianMs}`.padStart(17)}${`${row.pingDelayP95Ms}`.padStart(8)}`,
    );
  }
}

async function main({ kernel: given, json, seconds }) {
  const needed = await missing();
  if (needed !== undefined) throw new Error(`programs are missing: ${needed}`);
  const folder = mkdtempSync(path.join(os.tmpdir(), 'multipath-dash-kernel-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1));
  if (given === undefined) process.stderr.write('fetching a kernel through apt (70 MB)\n');
  const kernel = given ?? (await fetchKernel(folder));
  const trials = QUEUES.flatMap((queue) =>
    ['kernel', 'emulator'].map((backend) => ({
      ...{ backend, seconds, queue, rateBps: RATE_MBIT * 1e6, delayMs: DELAY_MS },
      ...(queue.discipline === 'droptail' ? { queueBytes: DROPTAIL_BYTES } : {}),
    })),
  );
  process.stderr.write('booting\n');
  const text = await runMachine(folder, kernel, guestScript(trials), (line) => {
    const { backend, queue } = trials[/^@@ trial (\d+)$/.exec(line)?.[1] ?? -1] ?? {};
    if (backend !== undefined) process.stderr.write(`${queue.discipline}, ${backend}\n`);
  });
  const rows = parseConsole(text, 2 * DELAY_MS).map((result, index) =>
    rowOf(trials[index], result),
  );
  const release = /@@ start (\S+)/.exec(text)?.[1];
  if (!json) print(rows, `Linux ${release}`);
  else for (const row of rows) console.log(JSON.stringify({ kernel: release, ...row }));
}

const { values, words } = readOptionsAndWords(USAGE, {
  kernel: { type: 'string' },
  json: { type: 'boolean', default: false },
});
const [seconds = '20'] = words;
if (!/^[1-9]\d*$/.test(seconds)) wrongOption(`"${seconds}" is no number of seconds`, USAGE);
await main({ ...values, seconds: Number(seconds) }).catch((error) => {
  console.error(`link-kernel: ${error.message}`);
  process.exitCode = 1;
});
