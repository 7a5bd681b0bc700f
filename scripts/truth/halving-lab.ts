// Inside a sandbox: an endless MPTCP download over two paths, one of which halves its rate. Prints a HalvingResult.
// Usage: node bin/multipath-dash.mjs sandbox -- node --import tsx scripts/truth/halving-lab.ts CONTROL SEED
import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { mean } from '../../src/core';
import { loadNative } from '../../src/kernel';
import { buildNetwork, mptcpizeEnv } from '../../src/lab';
import { HALVING, halvingTopology, type HalvingPhase, type HalvingResult } from './halving';
import { carriedBytes, ENDLESS_BYTES, serveFile } from './lab-file';

const [control = '', seed] = process.argv.slice(2);
const { warmUpSeconds, halvesAtSeconds, endSeconds, sampleMs } = HALVING;
const network = await buildNetwork(halvingTopology(control), { seed: Number(seed) });
const server = await serveFile(network, ENDLESS_BYTES);
const native = loadNative();
const netns = network.netnsOf('server') ?? '';
const clients = network.addressesOf('client');

/** The server's windows by path. Before the second subflow joins, a path has none. */
function windows(): (number | undefined)[] {
  const { subflows } = native.snapshot({ netns });
  return clients.map(
    (address) => subflows.find(({ remote }) => remote.address === address)?.tcp?.sndCwndSegments,
  );
}

const curl = spawn('curl', ['-sS', '-o', '/dev/null', `${server.url}/file`], {
  env: { ...process.env, ...(await mptcpizeEnv()) },
  stdio: ['ignore', 'ignore', 'inherit'],
});
// The trace counts from here.
await network.restart();
const startMs = performance.now();
const until = async (seconds: number): Promise<void> => {
  await sleep(Math.max(0, startMs + seconds * 1000 - performance.now()));
};

async function phase(toSeconds: number): Promise<HalvingPhase> {
  const fromMs = performance.now();
  const before = await carriedBytes(network);
  const samples: (number | undefined)[][] = [];
  for (let atMs = fromMs; atMs < startMs + toSeconds * 1000; atMs += sampleMs) {
    samples.push(windows());
    await sleep(Math.max(0, atMs + sampleMs - performance.now()));
  }
  const seconds = (performance.now() - fromMs) / 1000;
  const after = await carriedBytes(network);
  return {
    pathBps: after.map((bytes, path) => ((bytes - (before[path] ?? 0)) * 8) / seconds),
    cwnd: clients.map((_, path) => mean(samples.flatMap((all) => all[path] ?? [])) ?? 0),
  };
}

await until(warmUpSeconds);
const before = await phase(halvesAtSeconds);
const after = await phase(endSeconds);
curl.kill('SIGKILL');
await server.stop();
await network.close();
const result: HalvingResult = { control, before, after };
console.log(JSON.stringify(result));
process.exit(0);
