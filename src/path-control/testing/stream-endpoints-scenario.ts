/**
 * The endpoints of a stream beside another program, on a real kernel. Prints its observations, one JSON object a line.
 * Runs inside a private network. ../stream-endpoints.privileged.test.ts makes the assertions.
 */
import { mkdirSync } from 'node:fs';
import process from 'node:process';
import type net from 'node:net';
import { loadNative, monotonicClock } from '../../kernel';
import { runScenario } from '../../kernel/testing/run-scenario';
import { layTwoPaths, sh, startServer } from '../../kernel/testing/two-paths';
import { openSharedPathControl, withStreamEndpoints, type SharedPathControl } from '..';
import {
  allClosed,
  allowHelper,
  connect,
  endpoints,
  flows,
  installHelper,
  isUsed,
  print,
  runAs,
  UNDO_FOLDER,
  until,
} from './stream';
import { watchConnections } from './watch-connections';

const USER_UNDO_FOLDER = '/run/user-undo';
const native = loadNative();

async function openControl(
  helper: readonly string[] | undefined,
  undoFolder: string,
): Promise<SharedPathControl> {
  const onError = (error: unknown): void => void process.stderr.write(`${String(error)}\n`);
  const shared = await openSharedPathControl({ helper, undoFolder, onError });
  return withStreamEndpoints(shared, {
    nowMs: () => monotonicClock.nowMs(),
    later: (delayMs, work) => monotonicClock.after(delayMs, work),
    findTunnel: () => Promise.resolve({ state: 'none' }),
    onResult: ({ failures }) => print('failures', failures),
    networks: () => ['c1', 'c2'],
  });
}

/** A connection over c1, with its token. */
async function begin(): Promise<{ socket: net.Socket; tokens: ReadonlySet<number> }> {
  const before = new Set(native.snapshot().connections.map(({ token }) => token));
  const socket = await connect('10.0.1.2');
  const tokens = native.snapshot().connections.map(({ token }) => token);
  return { socket, tokens: new Set(tokens.filter((token) => !before.has(token))) };
}

const bytesOf = (tokens: ReadonlySet<number>): number =>
  native
    .snapshot()
    .subflows.filter(({ token }) => token !== undefined && tokens.has(token))
    .reduce((sum, { tcp }) => sum + (tcp?.bytesReceived ?? 0), 0);

/** A stream from its first connection to its end, beside another program's connection. */
async function play(name: string, shared: SharedPathControl): Promise<void> {
  print(`${name}: before the stream`, endpoints());
  const stream = await begin();
  const page = {};
  const stop = watchConnections(shared, stream.tokens, page);
  await until('the endpoint', () => endpoints() !== '');
  await flows('10.0.2.2', 50_000);
  print(`${name}: during the stream`, endpoints().replaceAll(/ id \d+/g, ''));
  const other = await begin();
  stop();
  stream.socket.destroy();
  await shared.release(page);
  await until('the endpoint to go', () => endpoints() === '');
  await until('the subflows to end', () => !isUsed('10.0.2.2'));
  const bytes = bytesOf(other.tokens);
  await until('the other program to receive', () => bytesOf(other.tokens) - bytes > 500_000);
  print(`${name}: the other program goes on`, true);
  other.socket.destroy();
}

async function viaHelper(program: string): Promise<void> {
  const shared = await openControl([program], USER_UNDO_FOLDER);
  await play('helper', shared);
  await shared.close();
  process.exit(0);
}

async function main(): Promise<void> {
  const [, , mode, program = ''] = process.argv;
  if (mode === 'helper') return viaHelper(program);
  layTwoPaths();
  for (const folder of [UNDO_FOLDER, USER_UNDO_FOLDER]) mkdirSync(folder);
  sh('chown', '65534:65534', USER_UNDO_FOLDER);
  const server = await startServer({ mptcp: true });
  const shared = await openControl(undefined, UNDO_FOLDER);
  await play('direct', shared);
  await shared.close();
  await allClosed();
  const helper = installHelper();
  allowHelper(helper);
  runAs('65534', import.meta.filename, 'helper', helper);
  server.kill();
}

runScenario(main);
