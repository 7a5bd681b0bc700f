/**
 * Faults during a stream, on a real kernel with two real paths. Prints its observations, one JSON object a
 * line. Runs inside a private network. ../faults.privileged.test.ts makes the assertions.
 */
import { mkdirSync } from 'node:fs';
import process from 'node:process';
import { addSecondEndpoint, layTwoPaths, sh, startServer } from '../../kernel/testing/two-paths';
import { runScenario } from '../../kernel/testing/run-scenario';
import { makeOwnEndpoints } from '../endpoints/own-endpoints';
import {
  allClosed,
  allowHelper,
  children,
  connect,
  endpoints,
  flows,
  installHelper,
  isUsed,
  open,
  print,
  runAs,
  until,
} from './stream';

const USER_UNDO_FOLDER = '/run/user-undo';
const route = ['default', 'via', '10.0.2.1', 'dev', 'c2', 'table', '2'] as const;

/** Routes come and go during a stream. That alone is no reason to change a path. */
async function routes(): Promise<void> {
  const found = endpoints();
  const client = await connect();
  const control = await open({ foreignEndpoints: 'suspend' });
  sh('ip', 'route', 'replace', 'unreachable', 'default', 'table', '2');
  sh('ip', 'route', 'del', '10.0.2.0/24', 'dev', 'c2');
  print('c1 without route ms', await flows('10.0.1.2', 300_000));
  // Its subflow is bound to the interface, so the kernel keeps it.
  print('c2 without route ms', await flows('10.0.2.2', 300_000));
  print('as found without route', endpoints() === found);
  sh('ip', 'route', 'add', '10.0.2.0/24', 'dev', 'c2', 'src', '10.0.2.2');
  sh('ip', 'route', 'replace', ...route);
  print('c2 with route ms', await flows('10.0.2.2', 100_000));
  print('as found with route', endpoints() === found);
  await control.close();
  client.destroy();
}

/** The address of a path with an endpoint is removed and returns, without a change of the interface. */
async function addresses(): Promise<void> {
  const found = endpoints();
  const client = await connect();
  const keeping = await open();
  sh('ip', 'address', 'del', '10.0.2.2/24', 'dev', 'c2');
  print('c1 without address ms', await flows('10.0.1.2', 300_000));
  print('kept without address', endpoints() === found);
  await keeping.close();
  sh('ip', 'address', 'add', '10.0.2.2/24', 'dev', 'c2');
  sh('ip', 'route', 'replace', ...route);
  client.destroy();

  const again = await connect();
  const control = await open({ foreignEndpoints: 'suspend' });
  sh('ip', 'address', 'del', '10.0.2.2/24', 'dev', 'c2');
  await until('the endpoint to go', () => !endpoints().includes('10.0.2.2'));
  await until('its subflow to go', () => !isUsed('10.0.2.2'));
  sh('ip', 'address', 'add', '10.0.2.2/24', 'dev', 'c2');
  await until('the endpoint to return', () => endpoints() === found);
  sh('ip', 'route', 'replace', ...route);
  print('c2 with address ms', await flows('10.0.2.2', 50_000));
  await control.close();
  print('as found with address', endpoints() === found);
  again.destroy();
}

async function helper(): Promise<void> {
  sh('ip', 'mptcp', 'endpoint', 'flush');
  const program = installHelper();
  allowHelper(program);
  mkdirSync(USER_UNDO_FOLDER);
  sh('chown', '65534:65534', USER_UNDO_FOLDER);
  runAs('65534', import.meta.filename, 'killed', program);
  runAs('65534', import.meta.filename, 'next', program);
  await until('as found by the next', () => endpoints() === '');
  print('as found by the next', true);

  // The administrator's decision: c2 is a backup.
  addSecondEndpoint();
  sh('ip', 'mptcp', 'endpoint', 'change', 'id', '2', 'backup');
  const decided = endpoints();
  runAs('65534', import.meta.filename, 'respects', program);
  print('respected', endpoints() === decided);
  sh('ip', 'mptcp', 'endpoint', 'del', 'id', '2');
  await allClosed();
  runAs('65534', import.meta.filename, 'none', program);
  print('none made', endpoints() === '');
  addSecondEndpoint();
}

/**
 * The helper is killed during the stream. The control reports it and sends no more requests, and the stream
 * continues.
 */
async function killed(program: string): Promise<void> {
  const client = await connect('10.0.1.2');
  const control = await open({ helper: [program], undoFolder: USER_UNDO_FOLDER });
  await makeOwnEndpoints(control, ['c1', 'c2']);
  await flows('10.0.2.2', 50_000);
  const reported: string[] = [];
  control.onChange(({ detail }) => reported.push(detail));
  await control.setState('c2', 'backup');
  for (const pid of children('mpd-pathctl')) process.kill(pid, 'SIGKILL');
  await until('the loss to be reported', () =>
    reported.some((detail) => detail.includes('helper ended')),
  );
  print('after the kill', control.capability());
  const error = await control.setState('c2', 'active').catch((thrown: unknown) => thrown);
  print('asked after the kill', (error as { code?: unknown } | undefined)?.code);
  await until('the endpoint to be taken away', () => endpoints() === '');
  print('as found after the kill', true);
  print('c1 after the kill ms', await flows('10.0.1.2', 300_000));
  await control.close();
  client.destroy();
  process.exit(0);
}

/** The next player of that user starts from the original state. */
async function next(program: string): Promise<void> {
  const client = await connect('10.0.1.2');
  const control = await open({ helper: [program], undoFolder: USER_UNDO_FOLDER });
  print('next', control.capability());
  print('own of the next', await makeOwnEndpoints(control, ['c1', 'c2']));
  print('c2 for the next ms', await flows('10.0.2.2', 50_000));
  await control.close();
  client.destroy();
  process.exit(0);
}

/** The user's endpoints stay the user's, through the helper too. */
async function respects(program: string): Promise<void> {
  const control = await open({ helper: [program], undoFolder: USER_UNDO_FOLDER });
  const codes: unknown[] = [];
  for (const state of ['active', 'closed', 'backup'] as const) {
    const error = await control.setState('c2', state).catch((thrown: unknown) => thrown);
    codes.push((error as { code?: unknown } | undefined)?.code ?? 'done');
  }
  print('of the user', codes);
  print('own beside the user', await makeOwnEndpoints(control, ['c1', 'c2']));
  await control.close();
  process.exit(0);
}

/** The player's own endpoints need a stream of this user. Without one the helper refuses them. */
async function none(program: string): Promise<void> {
  const control = await open({ helper: [program], undoFolder: USER_UNDO_FOLDER });
  const { made, failures } = await makeOwnEndpoints(control, ['c1', 'c2']);
  print('own refused', { made, failures: failures.length, why: failures.join(' ') });
  await control.close();
  process.exit(0);
}

async function main(): Promise<void> {
  const [, , mode = '', program = ''] = process.argv;
  const asUser = { killed, next, respects, none }[mode];
  if (asUser) return asUser(program);
  layTwoPaths();
  mkdirSync('/run/undo');
  const server = await startServer({ mptcp: true });
  addSecondEndpoint();
  const parts = { routes, addresses, helper };
  for (const [name, part] of Object.entries(parts)) if (mode === '' || mode === name) await part();
  server.kill();
}

runScenario(main);
