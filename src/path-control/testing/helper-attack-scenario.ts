/**
 * Attempts of a local user against the helper, on a real kernel. Prints the results, one JSON object a line.
 * Runs inside a private network. ../helper-attack.privileged.test.ts makes the assertions.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { chownSync, mkdirSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { loadNative } from '../../kernel/native';
import { addSecondEndpoint, layTwoPaths, sh, startServer } from '../../kernel/testing/two-paths';
import { runScenario } from '../../kernel/testing/run-scenario';
import { guardianOf, RawHelper } from './raw-helper';
import {
  allClosed,
  allowHelper,
  asUser,
  connect,
  endpoints,
  flows,
  installHelper,
  print,
  runAs,
  until,
} from './stream';

const MEMBER = '12345';
const LEND_FOLDER = '/etc/multipath-dash';
const lendFile = `${LEND_FOLDER}/lend-endpoints`;
const OWN_PORT = 9000;
const native = loadNative();

/** Requests that would rewrite the administrator's endpoints: 7 signals, 8 is fullmesh, 2 is plain. */
const rewrites = [
  'remove 7 10.0.1.2',
  'backup 7 10.0.1.2 on',
  'remove 8 10.0.3.2',
  'backup 8 10.0.3.2 on',
  'remove 2 10.0.2.2',
  'backup 2 10.0.2.2 on',
  'keep',
];
/** Requests that would add endpoints with effect on other users. */
const additions = [
  'add 99 10.0.4.2 0 2',
  'add 99 10.0.4.2 0 1',
  'add 99 10.0.4.2 0 10',
  'add 99 127.0.0.1 0 2',
  'add 99 10.77.7.7 0 2',
];

/** Addresses that the routing table calls local, or that stand for any address: an endpoint there binds to no network. */
const nowhere = [
  'add 99 0.0.0.0 0 2',
  'add 99 ::ffff:0.0.0.0 0 2',
  'add 99 :: 0 2',
  'add 99 ::ffff:127.0.0.1 0 2',
  'add 99 10.0.1.255 0 2',
  'add 99 224.0.0.1 0 2',
  'add 99 255.255.255.255 0 2',
];

async function tryAll(helper: string, name: string): Promise<void> {
  const attacker = new RawHelper(helper);
  print(name, await attacker.attack([...rewrites, ...additions, 'remove 0 10.0.1.2']));
  // A killed process restores nothing, so that permanent changes would show.
  attacker.child.kill('SIGKILL');
  await attacker.ended;
}

/** A user without any connection. */
const without = (program: string): Promise<void> => tryAll(program, 'without connection');

/** The attack of the audit: a connection to oneself, from each of the addresses. */
async function toOneself(program: string): Promise<void> {
  const listener = `require('net').createServer((s) => s.on('error', () => {}).resume()).listen(${OWN_PORT}, '0.0.0.0', () => console.log('up'))`;
  const server = spawn('mptcpize', ['run', process.execPath, '-e', listener], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise((resolve) => server.stdout.once('data', resolve));
  const sockets: net.Socket[] = [];
  for (const address of ['10.0.1.2', '10.0.2.2', '10.0.3.2', '10.0.4.2']) {
    const fd = await native.connectMptcp({ address, port: OWN_PORT });
    sockets.push(new net.Socket({ fd }).on('error', () => undefined));
    sockets.at(-1)?.write('x');
  }
  const used = new Set(native.snapshot().subflows.map(({ local }) => local.address));
  print('connected to oneself', [...used].sort());
  await tryAll(program, 'to oneself');
  for (const socket of sockets) socket.destroy();
  server.kill();
}

/** A connection to an address that never answers. */
async function unanswered(program: string): Promise<void> {
  const pending = native.connectMptcp({ address: '10.0.1.77', port: 80 }).catch(() => undefined);
  await until('a connection attempt', () =>
    native.snapshot().subflows.some(({ remote }) => remote.address === '10.0.1.77'),
  );
  await tryAll(program, 'unanswered');
  void pending;
}

/** A connection that the caller may steer. The endpoints are still the administrator's. */
async function withStream(program: string): Promise<void> {
  const client = await connect();
  const helper = new RawHelper(program);
  print('with a stream', await helper.attack(rewrites));
  await helper.end();
  client.destroy();
}

/** The helper's endpoints are removed, whichever process is killed, and also if it runs out of descriptors. */
async function ends(program: string): Promise<void> {
  const client = await connect('10.0.1.2');
  const wild = new RawHelper(program);
  print('nowhere', await wild.attack(nowhere));
  await wild.end();

  const made = async (): Promise<RawHelper> => {
    const helper = new RawHelper(program);
    await until('an answer', () => helper.child.pid !== undefined);
    print('made', [
      await helper.ask('add 99 10.0.4.2 0 2'),
      await helper.ask('backup 99 10.0.4.2 on'),
      await helper.ask('add 98 10.0.2.2 0 2'),
    ]);
    await flows('10.0.2.2', 50_000);
    return helper;
  };
  const gone = (name: string): Promise<void> =>
    until(name, () => endpoints() === '').then((ms) => print(name, ms < 5000));

  const killed = await made();
  killed.child.kill('SIGKILL');
  await gone('gone after the helper was killed');

  const unguarded = await made();
  process.kill(guardianOf(unguarded), 'SIGKILL');
  await gone('gone after its second process was killed');

  const starved = await made();
  execFileSync('prlimit', ['--pid', String(starved.child.pid), '--nofile=2:2']);
  starved.child.stdin?.write('1 list\n');
  await gone('gone after it ran out of descriptors');
  await starved.ended;
  client.destroy();
}

/** If the administrator permits it: the backup flag of plain endpoints, until the end. */
async function lent(program: string): Promise<void> {
  const client = await connect();
  const helper = new RawHelper(program);
  print('lent', await helper.attack(rewrites));
  print('lent backup', endpoints().includes('10.0.2.2 id 2 subflow backup'));
  await helper.end();
  client.destroy();
}

/** Another user has a connection: no endpoint is made that would affect it. */
async function beside(program: string): Promise<void> {
  const client = await connect('10.0.1.2');
  const helper = new RawHelper(program);
  print('beside others', [
    await helper.ask('add 99 10.0.4.2 0 2'),
    await helper.ask('remove 0 10.0.1.2'),
  ]);
  await helper.end();
  client.destroy();
}

function administratorsEndpoints(): void {
  addSecondEndpoint();
  sh('ip', 'mptcp', 'endpoint', 'add', '10.0.1.2', 'dev', 'c1', 'id', '7', 'signal');
  sh('ip', 'mptcp', 'endpoint', 'add', '10.0.3.2', 'dev', 'c1', 'id', '8', 'subflow', 'fullmesh');
}

async function root(): Promise<void> {
  const program = installHelper();
  allowHelper(program);
  const as = (mode: string): void => runAs(MEMBER, import.meta.filename, mode, program);
  const [setpriv = '', ...stranger] = asUser('54321', false);
  // By a shell: setpriv itself still has root's capabilities when it starts a program.
  const words = [...stranger, 'sh', '-c', `exec ${program}`];
  const outside = spawnSync(setpriv, words, { encoding: 'utf8' });
  print('outside the group', outside.stderr);

  administratorsEndpoints();
  const found = endpoints();
  for (const mode of ['without', 'toOneself', 'unanswered', 'withStream']) {
    as(mode);
    await sleep(200);
    print(`as found after ${mode}`, endpoints() === found);
    await allClosed();
  }

  sh('mkdir', '-p', '/run/etc');
  sh('cp', '-a', '/etc/.', '/run/etc');
  sh('mount', '--bind', '/run/etc', '/etc');
  mkdirSync(LEND_FOLDER);
  writeFileSync(lendFile, '', { mode: 0o644 });
  as('lent');
  await until('as found after lending', () => endpoints() === found);
  print('as found after lending', true);
  await allClosed();
  // A file of the attacker permits nothing.
  chownSync(lendFile, Number(MEMBER), Number(MEMBER));
  as('withStream');
  await allClosed();

  sh('ip', 'mptcp', 'endpoint', 'flush');
  as('ends');
  await allClosed();
  const roots = await connect('10.0.1.2');
  as('beside');
  roots.destroy();
}

async function main(): Promise<void> {
  const [, , mode = '', program = ''] = process.argv;
  const asMember = { without, toOneself, unanswered, withStream, ends, lent, beside }[mode];
  if (asMember) return asMember(program);
  layTwoPaths();
  sh('ip', 'mptcp', 'limits', 'set', 'subflows', '4');
  for (const address of ['10.0.3.2/24', '10.0.4.2/24'])
    sh('ip', 'address', 'add', address, 'dev', 'c1');
  const server = await startServer({ mptcp: true });
  await root();
  server.kill();
}

runScenario(main);
