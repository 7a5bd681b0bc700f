/**
 * What goes wrong in mid-stream, on a real kernel with two real paths; prints what it saw, one JSON object a line. Runs
 * inside a private network (see ../faults.privileged.test.ts, which judges).
 */
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import process from 'node:process';
import { addSecondEndpoint, layTwoPaths, sh, startServer } from '../../testing/two-paths';
import { makeOwnEndpoints } from '../own-endpoints';
import {
  allowHelper,
  connect,
  endpoints,
  flows,
  installHelper,
  isUsed,
  open,
  print,
  quiet,
  runAs,
  until,
} from './stream';

const userJournal = '/run/user-journal';
const route = ['default', 'via', '10.0.2.1', 'dev', 'c2', 'table', '2'] as const;

/** Routes come and go under a stream: that alone is no reason to touch a path. */
async function routes(): Promise<void> {
  const found = endpoints();
  const client = await connect();
  const control = await open({ foreignEndpoints: 'suspend' });
  sh('ip', 'route', 'replace', 'unreachable', 'default', 'table', '2');
  sh('ip', 'route', 'del', '10.0.2.0/24', 'dev', 'c2');
  print('c1 without route ms', await flows('10.0.1.2', 300_000));
  // Its subflow is bound to the interface: a kernel does not mind.
  print('c2 without route ms', await flows('10.0.2.2', 300_000));
  print('as found without route', endpoints() === found);
  sh('ip', 'route', 'add', '10.0.2.0/24', 'dev', 'c2', 'src', '10.0.2.2');
  sh('ip', 'route', 'replace', ...route);
  print('c2 with route ms', await flows('10.0.2.2', 100_000));
  print('as found with route', endpoints() === found);
  await control.close();
  client.destroy();
}

/** The address of a path with an endpoint goes and comes back, without the interface. */
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
  const found = endpoints();
  const program = installHelper();
  allowHelper(program);
  mkdirSync(userJournal);
  sh('chown', '65534:65534', userJournal);
  runAs('65534', import.meta.filename, 'killed', program);
  print('left behind', endpoints() !== found);
  runAs('65534', import.meta.filename, 'next', program);
  await until('as found by the next', () => endpoints() === found);
  print('as found by the next', true);

  // The user decided: c2 is a backup.
  sh('ip', 'mptcp', 'endpoint', 'change', 'id', '2', 'backup');
  const decided = endpoints();
  runAs('65534', import.meta.filename, 'respects', program);
  print('respected', endpoints() === decided);
  sh('ip', 'mptcp', 'endpoint', 'del', 'id', '2');
  runAs('65534', import.meta.filename, 'none', program);
  print('none made', endpoints() === '');
  addSecondEndpoint();
}

/** Process ids of this process's children of a name. */
function children(name: string): number[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .filter((pid) => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
        const parent = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1];
        return stat.includes(`(${name})`) && parent === String(process.pid);
      } catch {
        return false;
      }
    })
    .map(Number);
}

/** The helper dies in mid-stream: told, nothing more is asked of it, and the stream goes on. */
async function killed(program: string): Promise<void> {
  const client = await connect();
  const control = await open({ helper: [program], journalFolder: userJournal });
  const told: string[] = [];
  control.onChange(({ detail }) => told.push(detail));
  await control.setState('c2', 'backup');
  for (const pid of children('mpd-pathctl')) process.kill(pid, 'SIGKILL');
  await until('the loss to be told', () => told.some((detail) => detail.includes('helper ended')));
  print('after the kill', control.capability());
  const error = await control.setState('c2', 'active').catch((thrown: unknown) => thrown);
  print('asked after the kill', (error as { code?: unknown } | undefined)?.code);
  await quiet('10.0.2.2');
  print('c1 after the kill ms', await flows('10.0.1.2', 300_000));
  await control.close();
  client.destroy();
  process.exit(0);
}

/** The next player of that user puts back what the one before could not. */
async function next(program: string): Promise<void> {
  const client = await connect('10.0.1.2');
  const control = await open({ helper: [program], journalFolder: userJournal });
  print('next', control.capability());
  print('c2 for the next ms', await flows('10.0.2.2', 50_000));
  await control.close();
  client.destroy();
  process.exit(0);
}

/** What the user set is the user's, through the helper too. */
async function respects(program: string): Promise<void> {
  const control = await open({ helper: [program], journalFolder: userJournal });
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

/** Endpoints of our own need a stream of this user; without one the helper refuses them. */
async function none(program: string): Promise<void> {
  const control = await open({ helper: [program], journalFolder: userJournal });
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
  mkdirSync('/run/journal');
  const server = await startServer({ mptcp: true });
  addSecondEndpoint();
  const parts = { routes, addresses, helper };
  for (const [name, part] of Object.entries(parts)) if (mode === '' || mode === name) await part();
  server.kill();
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? '') : String(error)}\n`);
    process.exit(1);
  },
);
