import { execFileSync, spawn, type ChildProcess } from 'node:child_process';

/** Runs one `ip`, `sysctl` or `mount`; throws with its output. */
export function sh(...command: [string, ...string[]]): void {
  const [program, ...args] = command;
  execFileSync(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
}

export const SERVER_ADDRESS = '10.0.1.1';
export const SERVER_PORT = 8080;

/** The server's behaviour: sends endlessly at full speed. */
const serverProgram = `
  const block = Buffer.alloc(65536);
  require('net').createServer((socket) => {
    socket.on('error', () => {});
    const more = () => { while (socket.write(block)); };
    socket.on('drain', more);
    more();
  }).listen(${SERVER_PORT}, '0.0.0.0', () => console.log('listening'));`;

/**
 * Two networks between this (already private) network namespace and a server's, named c1 (10.0.1.2) and c2
 * (10.0.2.2) on this side. Must run inside `unshare --net --mount --pid`, which removes all of it at its end.
 */
export function layTwoPaths(): void {
  sh('mount', '-t', 'tmpfs', 'tmpfs', '/run');
  sh('ip', 'link', 'set', 'lo', 'up');
  sh('ip', 'netns', 'add', 'server');
  for (const n of ['1', '2']) {
    sh('ip', 'link', 'add', `c${n}`, 'type', 'veth', 'peer', 'name', `s${n}`, 'netns', 'server');
    sh('ip', 'address', 'add', `10.0.${n}.2/24`, 'dev', `c${n}`);
    sh('ip', 'link', 'set', `c${n}`, 'up');
    sh('ip', '-n', 'server', 'address', 'add', `10.0.${n}.1/24`, 'dev', `s${n}`);
    sh('ip', '-n', 'server', 'link', 'set', `s${n}`, 'up');
    // About 20 Mbit/s per path, so that the machine stays idle enough.
    sh(
      'tc',
      '-n',
      'server',
      'qdisc',
      'add',
      'dev',
      `s${n}`,
      'root',
      'tbf',
      'rate',
      '20mbit',
      'burst',
      '32kb',
      'latency',
      '50ms',
    );
  }
  sh('ip', '-n', 'server', 'link', 'set', 'lo', 'up');
  sh('ip', 'rule', 'add', 'from', '10.0.2.2', 'table', '2');
  sh('ip', 'route', 'add', 'default', 'via', '10.0.2.1', 'dev', 'c2', 'table', '2');
  sh('ip', 'mptcp', 'limits', 'set', 'subflows', '2');
  sh('ip', '-n', 'server', 'mptcp', 'limits', 'set', 'subflows', '2', 'add_addr_accepted', '2');
}

/** Lets the kernel open a second subflow over c2. */
export function addSecondEndpoint(): void {
  sh('ip', 'mptcp', 'endpoint', 'add', '10.0.2.2', 'dev', 'c2', 'id', '2', 'subflow');
}

/** Length of an IPv4 packet that is a SYN of Linux with MP_CAPABLE. Without that option it has 60 bytes. */
const MPTCP_SYN_BYTES = '64';

/** Makes c1 a network that drops MPTCP handshakes and lets TCP through. */
export function dropMptcpHandshakes(): void {
  sh('ip', '-n', 'server', 'link', 'add', 'nowhere', 'type', 'veth', 'peer', 'name', 'nowhere-end');
  sh('tc', '-n', 'server', 'qdisc', 'add', 'dev', 's1', 'ingress');
  const match = ['match', 'u16', MPTCP_SYN_BYTES, '0xffff', 'at', '2'];
  const drop = ['action', 'mirred', 'egress', 'redirect', 'dev', 'nowhere'];
  const filter = ['dev', 's1', 'ingress', 'protocol', 'ip', 'u32', ...match, ...drop];
  sh('tc', '-n', 'server', 'filter', 'add', ...filter);
}

/** Starts the server; resolves once it listens. `mptcp: false`: plain TCP only. */
export function startServer(options: { mptcp: boolean }): Promise<ChildProcess> {
  const node = [process.execPath, '-e', serverProgram];
  const program = options.mptcp ? ['mptcpize', 'run', ...node] : node;
  const child = spawn('ip', ['netns', 'exec', 'server', ...program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the server ended with ${code ?? 'a signal'}`)));
    child.stdout.once('data', () => resolve(child));
  });
}
