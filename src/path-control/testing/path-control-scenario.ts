/**
 * Path control on a real kernel with two real paths. Prints its observations, one JSON object a line. Runs
 * inside a private network. ../path-control.privileged.test.ts makes the assertions.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { addSecondEndpoint, layTwoPaths, sh, startServer } from '../../kernel/testing/two-paths';
import { runScenario } from '../../kernel/testing/run-scenario';
import { openPathControl } from '..';
import { makeOwnEndpoints } from '../endpoints/own-endpoints';
import { runContract } from './run-contract';
import {
  allowHelper,
  asUser,
  connect,
  endpoints,
  flows,
  installHelper,
  isUsed,
  UNDO_FOLDER,
  open,
  print,
  quiet,
  runAs,
  until,
} from './stream';

async function direct(): Promise<void> {
  const found = endpoints();
  const client = await connect();
  const control = await open();
  print('capability', control.capability());

  await control.setState('c2', 'backup');
  print('drained ms', await quiet('10.0.2.2'));
  print('c1 meanwhile', await flows('10.0.1.2', 100_000));
  const cleared = control.setState('c2', 'active');
  print('first byte ms', await flows('10.0.2.2'));
  await cleared;

  // The path of the first subflow has no endpoint of its own.
  await control.setState('c1', 'backup');
  print('first drained ms', await quiet('10.0.1.2'));
  print(
    'own',
    (await control.list()).find(({ pathId }) => pathId === 'c1'),
  );
  await control.setState('c1', 'active');
  await flows('10.0.1.2', 100_000);
  const kept = await control.setState('c2', 'closed').catch((error: unknown) => error);
  print('foreign kept', (kept as { code?: unknown }).code);
  await control.close();
  print('as found', endpoints() === found);
  client.destroy();
}

async function linkLoss(): Promise<void> {
  const found = endpoints();
  const client = await connect();
  const keeping = await open();
  sh('ip', 'link', 'set', 'c2', 'down');
  await sleep(300);
  print('foreign after loss', endpoints() === found);
  await keeping.close();
  sh('ip', 'link', 'set', 'c2', 'up');
  sh('ip', 'route', 'replace', 'default', 'via', '10.0.2.1', 'dev', 'c2', 'table', '2');
  client.destroy();
  await sleep(200);

  const again = await connect();
  const control = await open({ foreignEndpoints: 'suspend' });
  const details: string[] = [];
  control.onChange(({ detail }) => details.push(detail));
  sh('ip', 'link', 'set', 'c2', 'down');
  print('lost ms', await until('the endpoint to go', () => !endpoints().includes('10.0.2.2')));
  print('c1 after loss ms', await flows('10.0.1.2', 1000));
  print(
    'closed',
    (await control.list()).map(({ state }) => state),
  );
  sh('ip', 'link', 'set', 'c2', 'up');
  await until('the endpoint to return', () => endpoints() === found);
  // The route is added after the kernel tried to join.
  await sleep(200);
  sh('ip', 'route', 'replace', 'default', 'via', '10.0.2.1', 'dev', 'c2', 'table', '2');
  print('c2 again ms', await flows('10.0.2.2', 50_000));

  // This time the address is removed, of the path whose first subflow has no endpoint.
  sh('ip', 'address', 'del', '10.0.1.2/24', 'dev', 'c1');
  await until('the first subflow to go', () => !isUsed('10.0.1.2'));
  await flows('10.0.2.2', 100_000);
  sh('ip', 'address', 'add', '10.0.1.2/24', 'dev', 'c1');
  print('c1 again ms', await flows('10.0.1.2', 50_000));
  await control.close();
  print('details', details);
  print('as found after loss', endpoints() === found);
  again.destroy();
}

/** A player that changes everything and is killed. */
async function victim(): Promise<void> {
  const control = await open({ foreignEndpoints: 'suspend' });
  await control.setState('c1', 'backup');
  await control.setState('c2', 'closed');
  process.stdout.write('changed\n');
  await sleep(60_000);
}

async function crash(): Promise<void> {
  const found = endpoints();
  const args = ['--import', 'tsx', import.meta.filename, 'victim'];
  const child: ChildProcess = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise((resolve) => child.stdout?.once('data', resolve));
  print('changed by the victim', endpoints() !== found);
  const ended = new Promise((resolve) => child.once('close', resolve));
  child.kill('SIGKILL');
  await ended;
  print('left behind', endpoints() !== found);
  const control = await open();
  print('as found after crash', endpoints() === found);
  await control.close();

  const other = await open();
  await other.setState('c2', 'backup');
  sh('ip', 'mptcp', 'endpoint', 'change', 'id', '2', 'backup', 'fullmesh');
  const changed = endpoints();
  await other.close();
  print('others respected', endpoints() === changed);
  sh('ip', 'mptcp', 'endpoint', 'change', 'id', '2', 'nobackup', 'nofullmesh');
}

/** The port's test suite, on the kernel. Failures are printed. */
async function contract(): Promise<void> {
  sh('ip', 'mptcp', 'endpoint', 'add', '10.0.1.2', 'dev', 'c1', 'id', '1', 'subflow');
  const result = await runContract('Linux', async () => {
    const control = await open();
    return { control, paths: ['c1', 'c2'], dispose: () => control.close() };
  });
  sh('ip', 'mptcp', 'endpoint', 'del', 'id', '1');
  print('contract', result);
}

/** The helper with a file capability, for an ordinary user. */
async function helper(): Promise<void> {
  const program = installHelper();
  const bare = await open({ helper: [...asUser('65534'), program] }).catch(String);
  print('direct wins', typeof bare === 'string' ? bare : bare.capability());
  if (typeof bare !== 'string') await bare.close();
  allowHelper(program);

  // Runs this script again as an ordinary user, so that the connection is that user's. Then as another one,
  // while the only connection is root's.
  sh('ip', 'mptcp', 'endpoint', 'flush');
  runAs('65534', import.meta.filename, 'nobody', program);
  // The helper notices the end of its input a moment later.
  await until('as found after nobody', () => endpoints() === '');
  print('as found after nobody', true);

  addSecondEndpoint();
  const found = endpoints();
  const client = await connect();
  runAs('12345', import.meta.filename, 'stranger', program);
  await until('as found after stranger', () => endpoints() === found);
  print('as found after stranger', true);
  client.destroy();
}

/** As an ordinary user, through the helper. */
async function nobody(program: string): Promise<void> {
  const without = await openPathControl({ helper: ['/nonexistent/helper'] });
  print('without', without.capability());
  const client = await connect('10.0.1.2');
  const control = await openPathControl({ helper: [program], isUsed });
  print('through', control.capability());
  print('own through helper', await makeOwnEndpoints(control, ['c1', 'c2']));
  await flows('10.0.2.2', 50_000);
  await control.setState('c2', 'backup');
  print('helper drained ms', await quiet('10.0.2.2'));
  await control.setState('c2', 'active');
  await flows('10.0.2.2');
  await control.setState('c2', 'closed');
  await control.setState('c2', 'active');
  await flows('10.0.2.2', 50_000);
  await control.setState('c1', 'backup');
  // Killed from here on, the process sends nothing to the helper, which restores everything at the end of its
  // input.
  await quiet('10.0.1.2');
  client.destroy();
  process.exit(0);
}

/** An ordinary user without a connection. */
async function stranger(program: string): Promise<void> {
  const control = await openPathControl({ helper: [program], foreignEndpoints: 'suspend' });
  const codes: unknown[] = [];
  for (const [name, state] of [
    ['c2', 'backup'],
    ['c2', 'closed'],
    ['c1', 'backup'],
  ] as const) {
    const error = await control.setState(name, state).catch((thrown: unknown) => thrown);
    codes.push((error as { code?: unknown } | undefined)?.code);
  }
  print('stranger', codes);
  await control.close();
  const child = spawn(program, { stdio: ['pipe', 'pipe', 'inherit'] });
  let answers = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (answers += text));
  for (let index = 0; index < 2000; index += 1) {
    const length = (index * 7919) % 300;
    child.stdin.write(Buffer.from(Array.from({ length }, (_, at) => (at * index * 31 + 7) & 0xff)));
    child.stdin.write('\n');
  }
  child.stdin.end('1 flush\n1 add 5 10.9.9.9 0 2\n1 limits 8 8\n7 list\n');
  await new Promise((resolve) => child.once('close', resolve));
  print('random', {
    ok: answers.split('\n').filter((line) => line.endsWith(' ok')),
    refused: answers.includes('malformed'),
  });
}

async function main(): Promise<void> {
  const [, , mode, program = ''] = process.argv;
  if (mode === 'victim') return victim();
  if (mode === 'nobody') return nobody(program);
  if (mode === 'stranger') return stranger(program);
  layTwoPaths();
  mkdirSync(UNDO_FOLDER);
  const server = await startServer({ mptcp: true });
  addSecondEndpoint();
  const parts = { direct, linkLoss, crash, contract, helper };
  for (const [name, part] of Object.entries(parts)) {
    if (mode === undefined || mode === name) await part();
  }
  server.kill();
}

runScenario(main);
