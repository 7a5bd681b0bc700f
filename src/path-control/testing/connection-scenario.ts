/**
 * Path control by connection on a real kernel with two real paths and its path manager in user space. Prints
 * its observations, one JSON object a line. Runs inside a private network.
 * ../connection-control.privileged.test.ts makes the assertions.
 */
import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  layTwoPaths,
  SERVER_ADDRESS,
  SERVER_PORT,
  sh,
  startServer,
} from '../../kernel/testing/two-paths';
import { runScenario } from '../../kernel/testing/run-scenario';
import { openSharedPathControl, type SharedPathControl } from '..';
import {
  connect,
  describe,
  flows,
  quiet,
  subflowsOf,
  until,
  type Client,
} from './connection-client';
import { runContract } from './run-contract';
import { watchConnections } from './watch-connections';

const root = path.resolve(import.meta.dirname, '../../..');
const print = (name: string, value: unknown): void =>
  void process.stdout.write(`${JSON.stringify({ name, value })}\n`);

const watch = (shared: SharedPathControl, client: Client): (() => void) =>
  watchConnections(shared, new Set([client.token]));

const open = (helper?: readonly string[]): Promise<SharedPathControl> =>
  openSharedPathControl({
    helper,
    onError: (error) => process.stderr.write(`${String(error)}\n`),
  });

async function direct(): Promise<void> {
  const [mine, other] = [await connect(), await connect()];
  await sleep(300);
  print('alone', [describe(mine), describe(other)]);
  const shared = await open();
  const { control } = shared;
  print('capability', control.capability());
  const details: string[] = [];
  control.onChange(({ detail }) => details.push(detail));
  const stop = watch(shared, mine);
  print('joined ms', await until('the second subflow', () => describe(mine).length === 2));
  await flows(mine, '10.0.2.2', 50_000);
  print('other not joined', describe(other));

  // The path that both connections share: only the watched one leaves it.
  await control.setState('c1', 'backup');
  await quiet(mine, '10.0.1.2');
  print('one is backup', [describe(mine), describe(other)]);
  print('other flows', await flows(other, '10.0.1.2', 50_000));
  sh('ip', 'link', 'set', 'c2', 'down');
  // The backup carries the traffic of the lost subflow.
  print('takes over ms', await flows(mine, '10.0.1.2', 1000));
  await until('the subflow over c2 to be closed', () => describe(mine).length === 1);
  print('lost', describe(mine));
  print(
    'listed',
    (await control.list()).map(({ pathId, state }) => `${pathId} ${state}`),
  );
  sh('ip', 'link', 'set', 'c2', 'up');
  // Without the route no subflow is attempted.
  await sleep(300);
  print('no route yet', describe(mine));
  sh('ip', 'route', 'replace', 'default', 'via', '10.0.2.1', 'dev', 'c2', 'table', '2');
  print('again ms', await flows(mine, '10.0.2.2', 50_000));
  await control.setState('c1', 'active');
  print('back ms', await flows(mine, '10.0.1.2'));

  await control.setState('c2', 'closed');
  await until('c2 to be closed', () => describe(mine).length === 1);
  await control.setState('c2', 'backup');
  await until('c2 to be a backup', () => describe(mine).includes('10.0.2.2 backup'));
  print('born a backup', describe(mine));
  await control.setState('c2', 'active');
  await flows(mine, '10.0.2.2', 50_000);

  // The address of the first subflow is removed, and with it that subflow. It returns as a further one.
  sh('ip', 'address', 'del', '10.0.1.2/24', 'dev', 'c1');
  print('first lost ms', await until('the first to go', () => describe(mine).length === 1));
  await flows(mine, '10.0.2.2', 50_000);
  sh('ip', 'address', 'add', '10.0.1.2/24', 'dev', 'c1');
  print('first again ms', await flows(mine, '10.0.1.2', 50_000));
  // Its change is reported after its bytes flow.
  await until('c1 to be reported', () => details.at(-1) === 'c1 is back');
  print('details', details);

  await control.setState('c2', 'backup');
  stop();
  await shared.close();
  print('after close', describe(mine));
  mine.socket.destroy();
  other.socket.destroy();
  await until('nothing to be left', () => subflowsOf(mine).length === 0);
  print('endpoints', execFileSync('ip', ['mptcp', 'endpoint']).toString());
}

/** The port's test suite. Failures are printed. */
async function contract(): Promise<void> {
  const client = await connect();
  const result = await runContract('Linux, by connection', async () => {
    const shared = await open();
    const stop = watch(shared, client);
    await until('both paths', () => describe(client).length === 2);
    const dispose = async (): Promise<void> => {
      stop();
      await shared.close();
    };
    return { control: shared.control, paths: ['c1', 'c2'], dispose };
  });
  print('contract', result);
  client.socket.destroy();
}

/** The helper with a file capability, for ordinary users. The only other connection is root's. */
async function helper(): Promise<void> {
  const program = '/run/libexec/mpd-pathctl';
  mkdirSync(path.dirname(program));
  copyFileSync(path.join(root, 'native/build/mpd-pathctl'), program);
  chmodSync(program, 0o755);
  sh('setcap', 'cap_net_admin+ep', program);
  const roots = await connect();
  const [first] = subflowsOf(roots);
  const ends = `${roots.token} 10.0.1.2 ${first?.local.port ?? 0} ${SERVER_ADDRESS} ${SERVER_PORT}`;
  const user = ['--reuid', '65534', '--regid', '65534', '--clear-groups'];
  const script = [process.execPath, '--import', 'tsx', import.meta.filename];
  const out = execFileSync('setpriv', [...user, ...script, 'nobody', program, ends], {
    env: { ...process.env, HOME: '/tmp' },
  });
  process.stdout.write(out);
  print('root untouched', describe(roots));
  roots.socket.destroy();
}

/** As an ordinary user: first without the helper, then with it, then as an attacker. */
async function nobody(program: string, foreignEnds: string): Promise<void> {
  print('without', (await open(['/nonexistent/helper'])).control.capability());
  const client = await connect();
  const shared = await open([program]);
  print('through', shared.control.capability());
  const stop = watch(shared, client);
  await until('the second subflow', () => describe(client).length === 2);
  await shared.control.setState('c2', 'backup');
  await until('c2 to be a backup', () => describe(client).includes('10.0.2.2 backup'));
  await shared.control.setState('c2', 'closed');
  await until('c2 to be closed', () => describe(client).length === 1);
  await shared.control.setState('c2', 'active');
  await flows(client, '10.0.2.2', 50_000);
  await shared.control.setState('c2', 'backup');
  stop();
  await shared.close();
  await until('the helper to undo', () => !describe(client).includes('10.0.2.2 backup'));
  print('through helper', describe(client));
  await attack(program, client, foreignEnds);
  await killed(program, client);
  client.socket.destroy();
}

/** The helper is killed while a subflow is a backup by its request. */
async function killed(program: string, client: Client): Promise<void> {
  const [first] = subflowsOf(client, '10.0.1.2');
  const child = spawn(program, { stdio: ['pipe', 'pipe', 'inherit'] });
  const port = first?.local.port ?? 0;
  child.stdin.write(
    `1 subflow-backup ${client.token} 10.0.1.2 ${port} ${SERVER_ADDRESS} ${SERVER_PORT} on\n`,
  );
  await until('c1 to be a backup', () => describe(client).includes('10.0.1.2 backup'));
  child.kill('SIGKILL');
  await until('the second process to undo', () => describe(client).includes('10.0.1.2'));
  print('after the kill', describe(client));
}

async function attack(program: string, own: Client, foreignEnds: string): Promise<void> {
  const child = spawn(program, { stdio: ['pipe', 'pipe', 'inherit'] });
  let answers = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (answers += text));
  const [foreignToken = ''] = foreignEnds.split(' ');
  const absent = foreignEnds.replace(foreignToken, '1234567');
  const there = `${SERVER_ADDRESS} ${SERVER_PORT}`;
  const requests = [
    `subflow-backup ${foreignEnds} on`,
    `subflow-destroy ${foreignEnds}`,
    `address-remove ${foreignToken} 0`,
    `subflow-create ${foreignToken} 9 10.0.2.2 0 0 ${there} off`,
    `subflow-backup ${absent} on`,
    `subflow-destroy ${absent}`,
    // The user's own token with another connection's ends, and a way to another server.
    `subflow-destroy ${foreignEnds.replace(foreignToken, String(own.token))}`,
    `subflow-create ${own.token} 9 10.0.1.2 0 0 10.0.2.1 25 off`,
  ];
  requests.forEach((request, index) => child.stdin.write(`${index + 1} ${request}\n`));
  for (let index = 0; index < 2000; index += 1) {
    const length = (index * 7919) % 300;
    const bytes = Array.from({ length }, (_, at) => (at * index * 31 + 7) & 0xff);
    child.stdin.write(Buffer.concat([Buffer.from('9 subflow-'), Buffer.from(bytes)]));
    child.stdin.write('\n');
  }
  child.stdin.end('77 connections\n');
  await new Promise((resolve) => child.once('close', resolve));
  const lines = answers.split('\n').filter((line) => !line.startsWith('0 '));
  print('attack', {
    codes: requests.map((_, index) => {
      const words = lines.find((line) => line.startsWith(`${index + 1} `))?.split(' ') ?? [];
      return words.slice(1, 3).join(' ');
    }),
    random: lines.filter((line) => line.startsWith('9 ') && line.endsWith(' ok')).length,
    ownOnly: lines
      .filter((line) => line.startsWith('77 connection '))
      .map((line) => line.split(' ')[2] === String(own.token)),
  });
}

async function main(): Promise<void> {
  const [, , mode, program = '', ends = ''] = process.argv;
  if (mode === 'nobody') return nobody(program, ends);
  layTwoPaths();
  sh('sysctl', '-w', 'net.mptcp.pm_type=1');
  const server = await startServer({ mptcp: true });
  const parts = { direct, contract, helper };
  for (const [name, part] of Object.entries(parts)) {
    if (mode === undefined || mode === name) await part();
  }
  server.kill();
}

runScenario(main);
