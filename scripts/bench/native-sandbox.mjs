// A network of its own for the benchmark: a client with four addresses and a server, joined by veth pairs.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

const INSIDE = 'MULTIPATH_DASH_BENCH_SANDBOX';
const SERVER_NETNS = 'server';
export const PATHS = 4;
export const SERVER = { address: '10.77.1.2', port: 7000 };

/** Accepts connections, answers each byte that asks for data, and holds on to everything. */
const SERVER_PROGRAM = `
  const chunk = Buffer.alloc(64 * 1024, 'x');
  require('node:net').createServer((socket) => {
    socket.on('data', () => socket.write(chunk));
    socket.on('error', () => {});
  }).listen(${SERVER.port}, '0.0.0.0', 4096, () => console.log('listening'));
`;

const run = (command, ...args) =>
  execFileSync(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
const ip = (line) => run('ip', ...line.split(' '));

/** Starts this program again inside new namespaces, which vanish with it; returns only there. */
export function enterSandbox() {
  if (process.env[INSIDE] !== undefined) return;
  const user = process.getuid() === 0 ? [] : ['--user', '--map-root-user'];
  const flags = ['--net', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc'];
  const command = [process.execPath, ...process.argv.slice(1)];
  const child = spawnSync('unshare', [...user, ...flags, '--', ...command], {
    stdio: 'inherit',
    env: { ...process.env, [INSIDE]: '1' },
  });
  if (child.error) throw child.error;
  process.exit(child.status ?? 1);
}

/** Lays out the network; `extraSubflows` is the path manager's limit on both ends. */
export function layOutNetwork() {
  run('mount', '-t', 'tmpfs', 'none', '/run');
  run('mkdir', '/run/netns');
  ip('link set lo up');
  ip(`netns add ${SERVER_NETNS}`);
  ip(`-n ${SERVER_NETNS} link set lo up`);
  for (let i = 1; i <= PATHS; i += 1) {
    ip(`link add c${i} type veth peer name s${i} netns ${SERVER_NETNS}`);
    ip(`addr add 10.77.${i}.1/24 dev c${i}`);
    ip(`-n ${SERVER_NETNS} addr add 10.77.${i}.2/24 dev s${i}`);
    ip(`link set c${i} up`);
    ip(`-n ${SERVER_NETNS} link set s${i} up`);
    if (i > 1) ip(`mptcp endpoint add 10.77.${i}.1 dev c${i} subflow`);
  }
}

export function limitSubflows(extraSubflows) {
  ip(`mptcp limits set subflows ${extraSubflows} add_addr_accepted 0`);
  ip(`-n ${SERVER_NETNS} mptcp limits set subflows ${extraSubflows} add_addr_accepted 0`);
}

/** Resolves to the server process once it listens. */
export async function startServer() {
  const server = spawn(
    'ip',
    ['netns', 'exec', SERVER_NETNS, 'mptcpize', 'run', process.execPath, '-e', SERVER_PROGRAM],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const ended = once(server, 'exit').then(() => Promise.reject(new Error('the server ended')));
  ended.catch(() => undefined);
  await Promise.race([once(createInterface(server.stdout), 'line'), ended]);
  return server;
}
