/**
 * More events than the listening sockets can hold, on a real kernel. Prints the results, one JSON object a
 * line. Runs inside a private network. ../overrun.privileged.test.ts makes the assertions.
 */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { createNetworkEvents } from '../../kernel';
import { loadNative } from '../../kernel/native';
import {
  layTwoPaths,
  SERVER_ADDRESS,
  SERVER_PORT,
  sh,
  startServer,
} from '../../kernel/testing/two-paths';
import { runScenario } from '../../kernel/testing/run-scenario';
import { openSharedPathControl } from '..';
import {
  allowHelper,
  children,
  connect,
  flows,
  installHelper,
  isUsed,
  print,
  runAs,
  until,
} from './stream';
import { watchConnections } from './watch-connections';

/** The receive buffer holds 208 KiB. An event takes about 1 KiB of it, and a connection makes three of them. */
const MANY_CONNECTIONS = 300;
/** rtnetlink's listener asks for 1 MiB, doubled by the kernel. */
const MANY_ROUTES = 12_000;

const native = loadNative();
const tokens = (): Set<number> =>
  new Set(
    native
      .snapshot()
      .connections.filter(({ inode, token }) => inode !== 0 && token !== 0)
      .map(({ token }) => token),
  );

async function flood(): Promise<void> {
  for (let n = 0; n < MANY_CONNECTIONS; n += 1) {
    native.closeFd(await native.connectMptcp({ address: SERVER_ADDRESS, port: SERVER_PORT }));
  }
}

/** As an ordinary user: the helper cannot keep up, and its player reads the whole state again. */
async function helper(program: string): Promise<void> {
  const client = await connect('10.0.1.2');
  const own = tokens();
  const notes: string[] = [];
  const shared = await openSharedPathControl({
    helper: [program],
    onNote: ({ code }) => notes.push(code),
    onError: (error) => process.stderr.write(`${String(error)}\n`),
  });
  const stop = watchConnections(shared, own);
  await flows('10.0.2.2', 50_000);
  stop();
  await sleep(200);
  const [pid = 0] = children('mpd-pathctl');
  process.kill(pid, 'SIGSTOP');
  await flood();
  process.kill(pid, 'SIGCONT');
  await until('the loss to be noted', () => notes.includes('EVENTS_OVERRUN'));
  print('noted', true);
  const again = watchConnections(shared, own);
  await shared.control.setState('c2', 'closed');
  await until('c2 to be closed', () => !isUsed('10.0.2.2'));
  await shared.control.setState('c2', 'active');
  print('steers on ms', await flows('10.0.2.2', 50_000));
  again();
  await shared.close();
  client.destroy();
}

/** Thousands of routes while this process is busy, then an address, whose event is lost too. */
async function interfaces(): Promise<void> {
  const notes: string[] = [];
  const events = createNetworkEvents({
    onChange: () => undefined,
    onNote: ({ code }) => notes.push(code),
  });
  await events.start();
  const routes = Array.from(
    { length: MANY_ROUTES },
    (_, n) => `route add 10.${100 + (n >> 16)}.${(n >> 8) & 255}.${n & 255}/32 dev c1\n`,
  );
  writeFileSync('/run/routes', routes.join(''));
  // Synchronous, so that nothing reads the socket meanwhile.
  execFileSync('ip', ['-batch', '/run/routes']);
  sh('ip', 'address', 'add', '10.0.2.77/24', 'dev', 'c2');
  await until('the overrun', () => notes.includes('EVENTS_OVERRUN'));
  await until('the address', () => events.table.ownerOf('10.0.2.77') === 'c2');
  print('interfaces', [...new Set(notes)]);
  sh('ip', 'address', 'add', '10.0.2.78/24', 'dev', 'c2');
  await until('events again', () => events.table.ownerOf('10.0.2.78') === 'c2');
  print('interfaces again', true);
  events.close();
}

async function main(): Promise<void> {
  const [, , mode = '', program = ''] = process.argv;
  if (mode === 'nobody') return helper(program);
  layTwoPaths();
  if (mode === 'interfaces') return interfaces();
  sh('sysctl', '-w', 'net.mptcp.pm_type=1');
  const server = await startServer({ mptcp: true });
  const installed = installHelper();
  allowHelper(installed);
  runAs('65534', import.meta.filename, 'nobody', installed);
  server.kill();
}

runScenario(main);
