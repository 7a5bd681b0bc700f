/**
 * Latency from a decision about a path to its effect on the traffic, on a real kernel over two emulated
 * paths. Prints one JSON object a measurement. Runs inside a private network (see
 * scripts/bench/path-control.mjs).
 */
import net from 'node:net';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { loadNative } from '../../kernel';
import {
  addSecondEndpoint,
  layTwoPaths,
  SERVER_ADDRESS,
  SERVER_PORT,
  sh,
  startServer,
} from '../../kernel/testing/two-paths';
import { openPathControl, openSharedPathControl } from '..';
import { watchConnections } from './watch-connections';

const native = loadNative();
const rounds = Number(process.argv[2] ?? '10');
const subflowsOn = (address: string): ReturnType<typeof native.snapshot>['subflows'] =>
  native.snapshot().subflows.filter((item) => item.local.address === address && item.state === 1);
const bytesOn = (address: string): number =>
  subflowsOn(address).reduce((sum, item) => sum + (item.tcp?.bytesReceived ?? 0), 0);
const print = (name: string, ms: number): void =>
  void process.stdout.write(`${JSON.stringify({ name, ms })}\n`);

async function firstBytes(address: string, more: number): Promise<void> {
  const from = bytesOn(address);
  for (let tries = 0; bytesOn(address) - from < more; tries += 1) {
    if (tries > 10_000) throw new Error(`no bytes on ${address}`);
    await sleep(1);
  }
}

/** The time of the last byte before 400 ms without any. */
async function lastByteAt(address: string): Promise<number> {
  let at = performance.now();
  for (let bytes = bytesOn(address); performance.now() - at < 400;) {
    await sleep(2);
    const now = bytesOn(address);
    if (now !== bytes) at = performance.now();
    bytes = now;
  }
  return at;
}

async function connect(): Promise<net.Socket> {
  const fd = await native.connectMptcp({ address: SERVER_ADDRESS, port: SERVER_PORT });
  const client = new net.Socket({ fd });
  client.on('data', () => undefined).on('error', () => undefined);
  await firstBytes('10.0.2.2', 300_000);
  return client;
}

async function priorities(): Promise<void> {
  const client = await connect();
  const control = await openPathControl();
  for (let round = 0; round < rounds; round += 1) {
    let startedAt = performance.now();
    await control.setState('c2', 'backup');
    print('setState(backup) itself', performance.now() - startedAt);
    print(
      'setState(backup) to the last byte on that path',
      (await lastByteAt('10.0.2.2')) - startedAt,
    );
    startedAt = performance.now();
    const cleared = control.setState('c2', 'active');
    await firstBytes('10.0.2.2', 1);
    print('setState(active) to the first byte on that path', performance.now() - startedAt);
    await cleared;
    await firstBytes('10.0.2.2', 200_000);
  }
  await control.close();
  client.destroy();
}

/** All traffic on c2, which is then cut. Measures the time until the backup carries it. */
async function linkDown(controlled: boolean): Promise<void> {
  const client = await connect();
  const isUsed = (address: string): boolean => subflowsOn(address).length > 0;
  const control = await openPathControl({
    isUsed,
    foreignEndpoints: controlled ? 'suspend' : 'keep',
  });
  await control.setState('c1', 'backup');
  await lastByteAt('10.0.1.2');
  const startedAt = performance.now();
  let reactedMs = NaN;
  const reacted = new Promise<void>((resolve) => {
    control.onChange(() => {
      reactedMs = performance.now() - startedAt;
      resolve();
    });
  });
  sh('ip', 'link', 'set', 'c2', 'down');
  await firstBytes('10.0.1.2', 1000);
  const ms = performance.now() - startedAt;
  if (controlled) {
    await reacted;
    print('link down to the endpoint deleted', reactedMs);
  }
  print(`link down to the first kB on the backup, ${controlled ? 'with' : 'without'} control`, ms);
  client.destroy();
  sh('ip', 'link', 'set', 'c2', 'up');
  sh('ip', 'route', 'replace', 'default', 'via', '10.0.2.1', 'dev', 'c2', 'table', '2');
  await sleep(300);
  await control.close();
  await sleep(300);
}

/** The same with the path manager in user space, which ends the connection's own subflow. */
async function linkDownByConnection(): Promise<void> {
  const fd = await native.connectMptcp({ address: SERVER_ADDRESS, port: SERVER_PORT });
  const client = new net.Socket({ fd });
  client.on('data', () => undefined).on('error', () => undefined);
  const shared = await openSharedPathControl();
  const tokens = native.snapshot().connections.map(({ token }) => token);
  const stop = watchConnections(shared, new Set(tokens));
  await firstBytes('10.0.2.2', 300_000);
  await shared.control.setState('c1', 'backup');
  await lastByteAt('10.0.1.2');
  const startedAt = performance.now();
  const reacted = new Promise<number>((resolve) => {
    shared.control.onChange(() => resolve(performance.now() - startedAt));
  });
  sh('ip', 'link', 'set', 'c2', 'down');
  await firstBytes('10.0.1.2', 1000);
  const ms = performance.now() - startedAt;
  print('userspace path manager: link down to the subflow closed', await reacted);
  print('userspace path manager: link down to the first kB on the backup', ms);
  stop();
  sh('ip', 'link', 'set', 'c2', 'up');
  sh('ip', 'route', 'replace', 'default', 'via', '10.0.2.1', 'dev', 'c2', 'table', '2');
  await shared.close();
  client.destroy();
  await sleep(300);
}

layTwoPaths();
await startServer({ mptcp: true });
addSecondEndpoint();
await priorities();
for (let round = 0; round < rounds; round += 1) {
  await linkDown(true);
  await linkDown(false);
}
sh('ip', 'mptcp', 'endpoint', 'flush');
sh('sysctl', '-w', 'net.mptcp.pm_type=1');
for (let round = 0; round < rounds; round += 1) await linkDownByConnection();
process.exit(0);
