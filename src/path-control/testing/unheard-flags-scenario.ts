/**
 * Changes of a path whose announcement is lost, on a real kernel. Prints its observations, one JSON object a line. Runs
 * inside a private network. ../unheard-flags.privileged.test.ts makes the assertions.
 */
import { mkdirSync } from 'node:fs';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { loadNative } from '../../kernel';
import { runScenario } from '../../kernel/testing/run-scenario';
import { addSecondEndpoint, layTwoPaths, sh, startServer } from '../../kernel/testing/two-paths';
import { openSharedPathControl } from '..';
import { allClosed, bytesOn, connect, flows, print, quiet, UNDO_FOLDER } from './stream';
import { watchConnections } from './watch-connections';

const SECOND_PATH = '10.0.2.2';

/** Does the work while nothing that this side sends over c2 arrives. */
async function whileDeaf(work: () => Promise<void>): Promise<void> {
  const gateway = ['neighbour', 'replace', '10.0.2.1', 'dev', 'c2'];
  // The frames go to nobody.
  sh('ip', ...gateway, 'lladdr', '02:00:00:00:00:99', 'nud', 'permanent');
  await work();
  await sleep(20);
  sh('ip', 'neighbour', 'del', '10.0.2.1', 'dev', 'c2');
}

async function play(kind: string): Promise<void> {
  const onError = (error: unknown): void => void process.stderr.write(`${String(error)}\n`);
  const shared = await openSharedPathControl({ undoFolder: UNDO_FOLDER, onError });
  if (kind === 'in-kernel') addSecondEndpoint();
  const before = connect(kind === 'in-kernel' ? SECOND_PATH : '10.0.1.2');
  const stream = await before;
  const tokens = loadNative()
    .snapshot()
    .connections.map(({ token }) => token);
  const stop = watchConnections(shared, new Set(tokens));
  await flows(SECOND_PATH, 50_000);

  await whileDeaf(() => shared.control.setState('c2', 'backup'));
  print(`${kind}: sends over the backup`, await flows(SECOND_PATH, 300_000));
  print(`${kind}: quiet ms`, await quiet(SECOND_PATH));

  await whileDeaf(() => shared.control.setState('c2', 'active'));
  const bytes = bytesOn(SECOND_PATH);
  await sleep(500);
  print(`${kind}: bytes although active`, bytesOn(SECOND_PATH) - bytes);
  print(`${kind}: used again ms`, await flows(SECOND_PATH, 300_000));

  stop();
  stream.destroy();
  await shared.close();
  await allClosed();
}

async function main(): Promise<void> {
  layTwoPaths();
  mkdirSync(UNDO_FOLDER);
  const server = await startServer({ mptcp: true });
  await play('in-kernel');
  sh('ip', 'mptcp', 'endpoint', 'flush');
  sh('sysctl', '-w', 'net.mptcp.pm_type=1');
  await play('userspace');
  server.kill();
}

runScenario(main);
