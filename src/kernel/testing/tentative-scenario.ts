/**
 * IPv6 addresses during duplicate address detection, on a real kernel. Prints the addresses that the events and the table
 * show, one JSON object a line. Runs inside a private network. ../events/network-events.privileged.test.ts makes the
 * assertions.
 */
import { createNetworkEvents } from '../events';
import { runScenario } from './run-scenario';
import { sh } from './two-paths';

const ADDRESS = '2001:db8::2';
/** Detection takes 1 to 2 s (one probe, after a random delay of up to 1 s; RFC 4862, section 5.4.2). */
const DETECTION_MS = 3500;

const print = (name: string, value: unknown): void => {
  process.stdout.write(`${JSON.stringify({ name, value })}\n`);
};
const pass = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function main(): Promise<void> {
  sh('ip', 'link', 'add', 'c1', 'type', 'veth', 'peer', 'name', 's1');
  sh('ip', 'link', 'set', 's1', 'up');
  sh('ip', 'link', 'set', 'c1', 'up');
  const changes: string[] = [];
  const events = createNetworkEvents({
    onChange: ({ kind, address, interfaceName }) => {
      if (address === ADDRESS) changes.push(`${kind} ${interfaceName ?? ''}`);
    },
    onNote: ({ message }) => print('note', message),
  });
  const holders = (): string[] =>
    events.table.list().flatMap((link) => (link.addresses.includes(ADDRESS) ? [link.name] : []));
  const show = (name: string): void =>
    print(name, { changes: changes.splice(0), holders: holders() });
  await events.start();

  sh('ip', 'address', 'add', `${ADDRESS}/64`, 'dev', 'c1');
  await pass(300);
  show('during the detection');
  const late = createNetworkEvents({ onChange: () => undefined, onNote: () => undefined });
  await late.start();
  print('to a late reader', late.table.ownerOf(ADDRESS) ?? 'none');
  late.close();
  await pass(DETECTION_MS);
  show('after the detection');
  sh('ip', 'address', 'add', `${ADDRESS}/64`, 'dev', 's1');
  await pass(DETECTION_MS);
  show('of a duplicate');
  sh('ip', 'address', 'add', '2001:db8::3/64', 'dev', 'c1', 'nodad');
  await pass(100);
  print('without detection', events.table.ownerOf('2001:db8::3') ?? 'none');
  sh('ip', 'address', 'change', `${ADDRESS}/64`, 'dev', 'c1', 'preferred_lft', '0');
  await pass(100);
  const usable = events.table.list().find(({ name }) => name === 'c1')?.addresses ?? [];
  print(
    'beside a deprecated one',
    usable.filter((address) => !address.startsWith('fe80')),
  );
  events.close();
}

runScenario(main);
