/**
 * An interface with two addresses, on a real kernel: a management address first, then the one that its router serves.
 * Prints the source address of a connection for each way to route it, one JSON object a line. Runs inside a private network.
 * ../two-addresses.privileged.test.ts makes the assertions.
 */
import process from 'node:process';
import { loadNative } from '../../kernel';
import { runScenario } from '../../kernel/testing/run-scenario';
import { SERVER_PORT, sh, startServer } from '../../kernel/testing/two-paths';
import { dial } from '../dial';
import { watchNetworks } from '../kernel';

const SERVER = '203.0.113.1';
const ROUTE = ['default', 'via', '10.0.1.1', 'dev', 'c1'];
const RULE = ['from', '10.0.1.2', 'table', '7'];

function layPath(): void {
  sh('mount', '-t', 'tmpfs', 'tmpfs', '/run');
  sh('ip', 'link', 'set', 'lo', 'up');
  sh('ip', 'netns', 'add', 'server');
  sh('ip', '-n', 'server', 'link', 'set', 'lo', 'up');
  sh('ip', '-n', 'server', 'address', 'add', `${SERVER}/32`, 'dev', 'lo');
  sh('ip', 'link', 'add', 'c1', 'type', 'veth', 'peer', 'name', 's1', 'netns', 'server');
  for (const address of ['10.66.0.2', '10.0.1.2', '10.0.1.3'])
    sh('ip', 'address', 'add', `${address}/24`, 'dev', 'c1');
  sh('ip', 'link', 'set', 'c1', 'up');
  sh('ip', '-n', 'server', 'address', 'add', '10.0.1.1/24', 'dev', 's1');
  sh('ip', '-n', 'server', 'link', 'set', 's1', 'up');
}

async function sourceOf(): Promise<string> {
  const watch = watchNetworks(() => undefined);
  await watch.ready;
  const network = watch.networks.find(({ id }) => id === 'c1');
  if (!network) throw new Error('c1 is not a network');
  const options = {
    addon: loadNative(),
    resolve: (host: string) => Promise.resolve([host]),
    reaches: watch.reaches,
  };
  try {
    const { bound } = await dial(new URL(`http://${SERVER}:${SERVER_PORT}`), network, options);
    bound.socket.destroy();
    return bound.localAddress ?? 'none';
  } catch (error) {
    return String(error);
  } finally {
    watch.close();
  }
}

async function main(): Promise<void> {
  layPath();
  const server = await startServer({ mptcp: false });
  const seen = async (name: string): Promise<void> => {
    process.stdout.write(`${JSON.stringify({ name, value: await sourceOf() })}\n`);
  };
  await seen('no route');
  sh('ip', 'route', 'add', ...ROUTE);
  await seen('gateway');
  sh('ip', 'route', 'replace', ...ROUTE, 'src', '10.0.1.3');
  await seen('src');
  sh('ip', 'route', 'del', ...ROUTE);
  sh('ip', 'route', 'add', ...ROUTE, 'table', '7');
  sh('ip', 'rule', 'add', ...RULE);
  await seen('source rule');
  server.kill();
}

runScenario(main);
