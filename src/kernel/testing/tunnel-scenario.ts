/**
 * VPNs come and go beside the network c1, on a real kernel. Prints the tunnel that `watchTunnel` sees after each step, one
 * JSON object a line. Runs inside a private network. ../events/tunnel-watch.privileged.test.ts makes the assertions.
 */
import { watchTunnel } from '../events';
import { runScenario } from './run-scenario';
import { layTwoPaths, SERVER_ADDRESS, sh } from './two-paths';

const print = (name: string, value: unknown): void => {
  process.stdout.write(`${JSON.stringify({ name, value: value ?? 'none' })}\n`);
};

/** More than the interval of looks, so that a rule without an event of its own counts too. */
const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1500));

function addDevice(name: string, address: string): void {
  sh('ip', 'link', 'add', name, 'type', 'veth', 'peer', 'name', `${name}-end`);
  sh('ip', 'link', 'set', `${name}-end`, 'up');
  sh('ip', 'address', 'add', address, 'dev', name);
  sh('ip', 'link', 'set', name, 'up');
}

async function main(): Promise<void> {
  layTwoPaths();
  sh('ip', 'route', 'add', 'default', 'via', '10.0.1.1', 'dev', 'c1');
  // A bridge of containers is up before, and carries nothing of the system.
  addDevice('docker0', '172.17.0.1/16');
  let changes = 0;
  const watch = watchTunnel(
    () => (changes += 1),
    (name) => name === 'c1',
  );
  await watch.ready;
  print('at first', watch.tunnel);

  addDevice('tap0', '10.99.0.2/24');
  await settled();
  print('tap0 without a route', watch.tunnel);
  sh('ip', 'route', 'add', '0.0.0.0/1', 'dev', 'tap0');
  sh('ip', 'route', 'add', '128.0.0.0/1', 'dev', 'tap0');
  await settled();
  print('both halves of the default route', watch.tunnel);
  sh('ip', 'link', 'del', 'tap0');
  await settled();
  print('tap0 is gone', watch.tunnel);

  // As wg-quick does it: a table of its own first, then the rule.
  addDevice('wg0', '10.98.0.2/24');
  sh('ip', 'route', 'add', 'default', 'dev', 'wg0', 'table', '51820');
  await new Promise((resolve) => setTimeout(resolve, 200));
  sh('ip', 'rule', 'add', 'table', '51820');
  await settled();
  print('a rule', watch.tunnel);
  sh('ip', 'link', 'del', 'wg0');

  addDevice('ppp0', '10.97.0.2/24');
  sh('ip', 'route', 'add', `${SERVER_ADDRESS}/32`, 'dev', 'ppp0');
  await settled();
  print('a route to the unknown server', watch.tunnel);
  await watch.alsoTo([SERVER_ADDRESS]);
  print('a route to the server', watch.tunnel);
  print('changes', changes);
  watch.close();
}

runScenario(main);
