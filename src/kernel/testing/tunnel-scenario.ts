/**
 * VPNs come and go beside the network c1, on a real kernel. Prints the tunnel that `watchTunnel` sees after each step, one
 * JSON object a line. Runs inside a private network. ../events/tunnel-watch.privileged.test.ts makes the assertions.
 */
import { watchTunnel } from '../events';
import { runScenario } from './run-scenario';
import { layTwoPaths, SERVER_ADDRESS, sh } from './two-paths';

const print = (name: string, value: unknown): void => {
  process.stdout.write(`${JSON.stringify({ name, value })}\n`);
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
  const watch = watchTunnel({
    onChange: () => (changes += 1),
    isHardware: (name) => name === 'c1',
  });
  const show = (name: string): void => {
    print(name, watch.tunnel.state === 'found' ? watch.tunnel.name : watch.tunnel.state);
  };
  show('before the first look');
  await watch.ready;
  show('at first');

  addDevice('tap0', '10.99.0.2/24');
  await settled();
  show('tap0 without a route');
  sh('ip', 'route', 'add', '0.0.0.0/1', 'dev', 'tap0');
  sh('ip', 'route', 'add', '128.0.0.0/1', 'dev', 'tap0');
  await settled();
  show('both halves of the default route');
  sh('ip', 'link', 'del', 'tap0');
  await settled();
  show('tap0 is gone');

  // As wg-quick does it: a table of its own first, then the rule.
  addDevice('wg0', '10.98.0.2/24');
  sh('ip', 'route', 'add', 'default', 'dev', 'wg0', 'table', '51820');
  await new Promise((resolve) => setTimeout(resolve, 200));
  sh('ip', 'rule', 'add', 'table', '51820');
  await settled();
  show('a rule');
  sh('ip', 'link', 'del', 'wg0');

  addDevice('ppp0', '10.97.0.2/24');
  sh('ip', 'route', 'add', `${SERVER_ADDRESS}/32`, 'dev', 'ppp0');
  await settled();
  show('a route to the unknown server');
  await watch.alsoTo([SERVER_ADDRESS]);
  show('a route to the server');
  print('changes', changes);
  watch.close();
}

runScenario(main);
