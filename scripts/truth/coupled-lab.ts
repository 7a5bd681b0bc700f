// Inside a sandbox: one MPTCP download of two subflows and one plain TCP download of Reno share a router's link.
// Prints a SharedCaseResult. Usage: node bin/multipath-dash.mjs sandbox -- node --import tsx
// scripts/truth/coupled-lab.ts CONTROL SECONDS SEED
import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildNetwork, mptcpizeEnv } from '../../src/lab';
import { expandTopology } from '../../src/scenario';
import { recordWindows } from './record-windows';
import {
  SHARED_LINK,
  SHARED_WARM_UP_SECONDS,
  sharedTopology,
  type SharedCaseResult,
} from './shared-link';

const COUPLED_PORT = 5201;
const PLAIN_PORT = 5202;

const [control = '', seconds, seed] = process.argv.slice(2);
const network = await buildNetwork(expandTopology(sharedTopology(control)), { seed: Number(seed) });
const server = network.netnsOf('server');
const address = network.server.address;
const env = { ...process.env, ...(await mptcpizeEnv()) };
const inServer = (argv: string[], environment: NodeJS.ProcessEnv): void => {
  spawn('nsenter', [`--net=${server}`, '--', ...argv], { env: environment, stdio: 'ignore' });
};
// Without it a loss takes a burst of one connection.
inServer(['ip', 'link', 'set', 'uplink', 'gso_max_segs', '1'], process.env);
inServer(['iperf3', '-s', '-p', String(COUPLED_PORT)], env);
inServer(['iperf3', '-s', '-p', String(PLAIN_PORT)], process.env);
await sleep(500);

/** Downloads for the whole time. @returns received bits per second after the warm-up */
function download(port: number, rest: string[], environment: NodeJS.ProcessEnv): Promise<number> {
  const argv = [
    ...['-c', address, '-p', String(port), '-R', '-J', '-i', '0', '-t', String(seconds)],
    ...['-O', String(SHARED_WARM_UP_SECONDS), ...rest],
  ];
  const child = spawn('iperf3', argv, { env: environment, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return new Promise((resolve, reject) =>
    child.once('close', () => {
      const { end, error } = JSON.parse(output) as {
        end?: { sum_received?: { bits_per_second: number } };
        error?: string;
      };
      const bps = end?.sum_received?.bits_per_second;
      if (bps === undefined) reject(new Error(error ?? 'iperf3 gave no result'));
      else resolve(bps);
    }),
  );
}

const [windows, coupledBps, plainBps] = await Promise.all([
  recordWindows(network, SHARED_WARM_UP_SECONDS + Number(seconds)),
  download(COUPLED_PORT, [], env),
  download(PLAIN_PORT, ['-C', 'reno'], process.env),
]);
const used = await network.linkStats();
const carried = SHARED_LINK.access.map((id) => {
  const link = used.find((one) => one.name === id);
  return Math.max(link?.ab.outBytes ?? 0, link?.ba.outBytes ?? 0);
});
await network.close();
const result: SharedCaseResult = { control, coupledBps, plainBps, carried, windows };
console.log(JSON.stringify(result));
process.exit(0);
