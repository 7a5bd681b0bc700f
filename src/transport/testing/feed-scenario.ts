/**
 * Runs through the changes that a stream's paths can undergo and prints the feed's messages, one JSON object
 * a line. A `step` line precedes each action. Runs inside a private network (see
 * ../feed/linux-feed.privileged.test.ts).
 */
import net from 'node:net';
import type { TransportStatus } from '../../core';
import type { TransportMessage } from '../../ports';
import { createLinuxFeed } from '../feed';
import { loadNative, readMptcpSuspension, type Native } from '../../kernel';
import {
  addSecondEndpoint,
  dropMptcpHandshakes,
  layTwoPaths,
  SERVER_ADDRESS,
  SERVER_PORT,
  sh,
  startServer,
} from '../../kernel/testing/two-paths';

const print = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`);
const step = (name: string): void => print({ step: name });
const WATCHDOG_MS = 20_000;

const messages: TransportMessage[] = [];
const waiting = new Set<() => void>();

/** Waits for the condition without a limit of its own. A watchdog ends the process. */
function until(what: string, condition: () => boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new Error(`timed out waiting for: ${what}`));
    }, WATCHDOG_MS);
    const check = (): void => {
      if (!condition()) return;
      clearTimeout(timer);
      waiting.delete(check);
      resolve();
    };
    waiting.add(check);
    check();
  });
}

const eventSeen = (kind: string, pathId: string, from: number, backup?: boolean): boolean =>
  messages
    .slice(from)
    .some(
      (m) =>
        m.type === 'path' &&
        m.event.kind === kind &&
        m.event.pathId === pathId &&
        m.event.backup === backup,
    );
const lastOf = (): TransportStatus | undefined =>
  messages.flatMap((m) => (m.type === 'status' ? [m.status] : [])).at(-1);
const lastStatus = (): string | undefined => lastOf()?.state;
const lastReason = (): string | undefined => lastOf()?.reason;
function bytesOn(pathId: string): number {
  for (const message of [...messages].reverse()) {
    if (message.type !== 'samples') continue;
    const subflows = message.batch.connections.flatMap((c) => c.subflows);
    return subflows.find((s) => s.pathId === pathId)?.bytesReceived ?? 0;
  }
  return 0;
}

/** Sets the backup flag and clears it, then loses the second path. */
async function changePriorities(): Promise<void> {
  const changes: [string, string[], boolean][] = [
    ['backup', ['backup'], true],
    ['nobackup', ['nobackup'], false],
  ];
  for (const [name, flags, backup] of changes) {
    step(name);
    const from = messages.length;
    sh('ip', 'mptcp', 'endpoint', 'change', 'id', '2', ...flags);
    await until(name, () => eventSeen('subflow-priority', 'c2', from, backup));
  }
  step('link-down');
  let from = messages.length;
  sh('ip', 'link', 'set', 'c2', 'down');
  await until('interface-down', () => eventSeen('interface-down', 'c2', from));
  step('endpoint-delete');
  from = messages.length;
  sh('ip', 'mptcp', 'endpoint', 'delete', 'id', '2');
  await until('subflow-closed', () => eventSeen('subflow-closed', 'c2', from));
}

/** Opens connections until the kernel, to which c1 looks like a network that drops MPTCP, opens plain ones only. */
async function meetBlackhole(native: Native): Promise<void> {
  step('blackhole');
  dropMptcpHandshakes();
  for (;;) {
    const fd = await native.connectMptcp({ address: SERVER_ADDRESS, port: SERVER_PORT });
    const socket = new net.Socket({ fd }).resume().on('error', () => undefined);
    if (readMptcpSuspension().connects > 0) {
      await until('the reason', () => lastReason()?.includes('blackhole_timeout') ?? false);
      socket.destroy();
      return;
    }
    socket.destroy();
  }
}

/**
 * `plain`: the server speaks TCP only. `blackhole`: c1 drops MPTCP handshakes. `processes`: as on a kernel that hides subflows from this user, so
 * that the feed reads the sockets themselves.
 */
type Mode = 'full' | 'plain' | 'blackhole' | 'processes';

async function main(mode: Mode): Promise<void> {
  const mptcpServer = mode !== 'plain';
  layTwoPaths();
  const server = await startServer({ mptcp: mptcpServer });
  const native = loadNative();
  const blind: typeof native = {
    ...native,
    capabilities: () => ({ ...native.capabilities(), ulpInfo: false }),
  };
  const feed = createLinuxFeed({
    ...(mode === 'processes'
      ? { loadNative: () => blind, owner: { pids: () => [process.pid] } }
      : {}),
    onNote: (note) => print({ note }),
  });
  feed.subscribe((message) => {
    messages.push(message);
    print(message);
    for (const check of [...waiting]) check();
  });
  await feed.ready;
  feed.watch([`http://${SERVER_ADDRESS}:${SERVER_PORT}`]);

  if (mode === 'blackhole') {
    await meetBlackhole(native);
    feed.close();
    server.kill();
    return;
  }
  step('connect');
  const fd = await native.connectMptcp({ address: SERVER_ADDRESS, port: SERVER_PORT });
  let received = 0;
  const client = new net.Socket({ fd });
  client.on('data', (data) => (received += data.length)).on('error', () => undefined);
  await until('bytes on c1', () => bytesOn('c1') > 500_000);
  if (!mptcpServer) {
    await until('fallback', () => lastStatus() === 'fallback');
  } else {
    await until('single-subflow', () => lastStatus() === 'single-subflow');
    step('endpoint');
    addSecondEndpoint();
    await until('bytes on c2', () => bytesOn('c2') > 500_000);
    if (mode === 'full') await changePriorities();
  }
  step('received');
  print({ received });
  client.destroy();
  await until('idle', () => lastStatus() === 'idle');
  feed.close();
  server.kill();
}

const modes: readonly Mode[] = ['plain', 'blackhole', 'processes'];
main(modes.find((mode) => mode === process.argv[2]) ?? 'full').then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`${String(error)}\n`);
    process.exit(1);
  },
);
