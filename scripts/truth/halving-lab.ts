// Inside a sandbox: an endless MPTCP download over two paths, one of which halves its rate. Prints a HalvingResult.
// Usage: node bin/multipath-dash.mjs sandbox -- node --import tsx scripts/truth/halving-lab.ts CONTROL SEED
import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { mean } from '../../src/core';
import { buildNetwork, mptcpizeEnv } from '../../src/lab';
import { HALVING, halvingTopology, type HalvingPhase, type HalvingResult } from './halving';
import { carriedBytes, ENDLESS_BYTES, serveFile } from './lab-file';
import { recordWindows } from './record-windows';
import { windowsBetween } from './windows';

const [control = '', seed] = process.argv.slice(2);
const { warmUpSeconds, halvesAtSeconds, endSeconds } = HALVING;
const network = await buildNetwork(halvingTopology(control), { seed: Number(seed) });
const server = await serveFile(network, ENDLESS_BYTES);

const curl = spawn('curl', ['-sS', '-o', '/dev/null', `${server.url}/file`], {
  env: { ...process.env, ...(await mptcpizeEnv()) },
  stdio: ['ignore', 'ignore', 'inherit'],
});
// The trace counts from here.
await network.restart();
const startMs = performance.now();
const recorded = recordWindows(network, endSeconds);
const until = async (seconds: number): Promise<void> => {
  await sleep(Math.max(0, startMs + seconds * 1000 - performance.now()));
};

/** IP rates of the paths from now on. */
async function ratesUntil(toSeconds: number): Promise<number[]> {
  const fromMs = performance.now();
  const before = await carriedBytes(network);
  await until(toSeconds);
  const seconds = (performance.now() - fromMs) / 1000;
  const after = await carriedBytes(network);
  return after.map((bytes, path) => ((bytes - (before[path] ?? 0)) * 8) / seconds);
}

await until(warmUpSeconds);
const beforeBps = await ratesUntil(halvesAtSeconds);
const afterBps = await ratesUntil(endSeconds);
const windows = await recorded;
curl.kill('SIGKILL');
await server.stop();
await network.close();
const phase = (pathBps: number[], fromSeconds: number, toSeconds: number): HalvingPhase => ({
  pathBps,
  cwnd: windowsBetween(windows, fromSeconds, toSeconds).map((samples) => mean(samples) ?? 0),
});
const result: HalvingResult = {
  control,
  before: phase(beforeBps, warmUpSeconds, halvesAtSeconds),
  after: phase(afterBps, halvesAtSeconds, endSeconds),
  windows,
};
console.log(JSON.stringify(result));
process.exit(0);
