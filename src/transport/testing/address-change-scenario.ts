/**
 * A network gets another address during a stream, as from a DHCP renewal, on a real kernel with two real
 * paths. Prints its observations, one JSON object a line. Runs inside a private network.
 * ../address-change.privileged.test.ts makes the assertions.
 */
import { mkdirSync } from 'node:fs';
import type net from 'node:net';
import process from 'node:process';
import type { TransportMessage } from '../../ports';
import { createLinuxFeed } from '../feed';
import { loadNative } from '../../kernel/native';
import {
  addSecondEndpoint,
  layTwoPaths,
  SERVER_ADDRESS,
  SERVER_PORT,
  sh,
  startServer,
} from '../../kernel/testing/two-paths';
import { runScenario } from '../../kernel/testing/run-scenario';
import { openSharedPathControl } from '../../path-control';
import { makeOwnEndpoints } from '../../path-control/endpoints/own-endpoints';
import { connect, endpoints, flows, open, print, until } from '../../path-control/testing/stream';
import { watchConnections } from '../../path-control/testing/watch-connections';

const native = loadNative();

/**
 * The actions of a DHCP client and its hooks. `first`: the new address is added before the old one is
 * removed.
 */
function renew(network: '1' | '2', from: string, to: string, first: boolean): void {
  const device = `c${network}`;
  const add = (): void => sh('ip', 'address', 'add', `${to}/24`, 'dev', device);
  if (first) add();
  sh('ip', 'address', 'del', `${from}/24`, 'dev', device);
  if (!first) add();
  if (network === '1') return;
  sh('ip', 'rule', 'add', 'from', to, 'table', '2');
  sh('ip', 'route', 'replace', 'default', 'via', '10.0.2.1', 'dev', 'c2', 'table', '2');
}

/** The feed's samples of paths, by local address. */
async function watchFeed(): Promise<{ pathsOf: () => Record<string, string>; close: () => void }> {
  const paths: Record<string, string> = {};
  const feed = createLinuxFeed({ onNote: () => undefined });
  feed.subscribe((message: TransportMessage) => {
    if (message.type !== 'samples') return;
    for (const { subflows } of message.batch.connections) {
      for (const { local, pathId } of subflows) paths[local.address] = pathId;
    }
  });
  await feed.ready;
  feed.watch([`http://${SERVER_ADDRESS}:${SERVER_PORT}`]);
  return { pathsOf: () => paths, close: () => feed.close() };
}

/** @param pathsOf those of the feed, which shows an address a sample later than the kernel */
async function renewals(pathsOf: () => Record<string, string>): Promise<void> {
  const shown = async (address: string): Promise<number> => {
    const ms = await flows(address, 50_000);
    await until(`${address} in the feed`, () => address in pathsOf());
    return ms;
  };
  renew('2', '10.0.2.2', '10.0.2.7', false);
  print('c2 renewed ms', await shown('10.0.2.7'));
  renew('2', '10.0.2.7', '10.0.2.8', true);
  print('c2 renewed again ms', await shown('10.0.2.8'));
  // The path of the first subflow, which never had an endpoint.
  renew('1', '10.0.1.2', '10.0.1.9', false);
  print('c1 renewed ms', await shown('10.0.1.9'));
}

/** Address changes of endpoints: this player's own, then one of the administrator. */
async function byEndpoint(): Promise<void> {
  const client = await connect('10.0.1.2');
  const control = await open();
  await makeOwnEndpoints(control, ['c1', 'c2']);
  await flows('10.0.2.2', 50_000);
  const feed = await watchFeed();
  await renewals(feed.pathsOf);
  print(
    'listed',
    (await control.list()).map(({ pathId, address, state }) => `${pathId} ${address} ${state}`),
  );
  print('paths', feed.pathsOf());
  await control.setState('c2', 'backup');
  print('switched', endpoints().includes('10.0.2.8 id 255 subflow backup'));
  feed.close();
  await control.close();
  print('left', endpoints());
  client.destroy();
}

async function foreign(): Promise<void> {
  addSecondEndpoint();
  const found = endpoints();
  const client: net.Socket = await connect('10.0.2.2');
  const control = await open();
  renew('2', '10.0.2.2', '10.0.2.7', false);
  print('foreign renewed ms', await flows('10.0.2.7', 50_000));
  await control.close();
  print('foreign as found', endpoints() === found);
  client.destroy();
}

/** Address changes by connection: nothing in the system changes. */
async function byConnection(): Promise<void> {
  sh('sysctl', '-w', 'net.mptcp.pm_type=1');
  const client = await connect('10.0.1.2');
  const token = native.snapshot().connections.find(({ inode }) => inode !== 0)?.token ?? 0;
  const shared = await openSharedPathControl({ onError: (error) => print('error', String(error)) });
  const stop = watchConnections(shared, new Set([token]));
  await flows('10.0.2.2', 50_000);
  const feed = await watchFeed();
  await renewals(feed.pathsOf);
  print('paths', feed.pathsOf());
  await until('only paths that are there', () =>
    native
      .snapshot()
      .subflows.every(({ local, state }) => state !== 1 || /\.(8|9)$/.test(local.address)),
  );
  stop();
  feed.close();
  await shared.close();
  client.destroy();
}

async function main(): Promise<void> {
  layTwoPaths();
  // The setting of systemd: the second address stays when the first one is removed.
  sh('sysctl', '-w', 'net.ipv4.conf.all.promote_secondaries=1');
  mkdirSync('/run/undo');
  const server = await startServer({ mptcp: true });
  const part = { byEndpoint, foreign, byConnection }[process.argv[2] ?? ''];
  await part?.();
  server.kill();
}

runScenario(main);
