// Inside a sandbox: one case of the truth table over the real kernel with plain MPTCP. Prints a CaseResult.
// Usage: node bin/multipath-dash.mjs sandbox -- node --import tsx scripts/truth/kernel-lab.ts NAME SECONDS
// SEED
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { buildNetwork, mptcpizeEnv, pathTopology } from '../../src/lab';
import { type CaseResult, KERNEL_CASES, pathsOf } from './cases';
import { carriedBytes, ENDLESS_BYTES, serveFile } from './lab-file';

const MAX_OBJECTS = 400;

const [name, seconds, seed] = process.argv.slice(2);
const wanted = KERNEL_CASES.find((one) => one.name === name);
if (wanted === undefined) throw new Error(`no case "${name}"`);
const paths = pathsOf(wanted);
const topology = pathTopology(paths);
const { control: congestionControl } = wanted;
const nodes = topology.nodes.map((node) =>
  node.role === 'server' && congestionControl !== undefined ? { ...node, congestionControl } : node,
);
const lab = await buildNetwork({ ...topology, nodes }, { seed: Number(seed) });
const server = await serveFile(lab, wanted.objectBytes ?? ENDLESS_BYTES);

const count = wanted.objectBytes === undefined ? 1 : MAX_OBJECTS;
const urls = Array.from({ length: count }, () => ['-o', '/dev/null', `${server.url}/file`]);
// Unbuffered, so that objects count as soon as they are complete.
const curl = spawn('stdbuf', ['-o0', 'curl', '-sS', '-w', '%{size_download}\\n', ...urls.flat()], {
  env: { ...process.env, ...(await mptcpizeEnv()) },
  stdio: ['ignore', 'pipe', 'inherit'],
});
const doneMs: number[] = [];
createInterface(curl.stdout).on('line', () => doneMs.push(performance.now()));
const startMs = performance.now();
await new Promise((resolve) => setTimeout(resolve, Number(seconds) * 1000));
const elapsedS = (performance.now() - startMs) / 1000;
const bytes = await carriedBytes(lab);
const inOrder = doneMs.length * (wanted.objectBytes ?? 0);
curl.kill('SIGKILL');
await server.stop();
await lab.close();
const total = bytes.reduce((sum, one) => sum + one, 0);
const lastMs = doneMs.at(-1);
const result: CaseResult = {
  name: wanted.name,
  // An endless download has no objects to count: the paths' bytes minus headers.
  goodputBps:
    lastMs === undefined
      ? (total * 8 * (1420 / 1500)) / elapsedS
      : (inOrder * 8) / ((lastMs - startMs) / 1000),
  pathBps: bytes.map((one) => (one * 8) / elapsedS),
};
console.log(JSON.stringify(result));
process.exit(0);
