/** A stream over the two paths of `../../testing/two-paths`, and what the kernel says of it. */
import { chmodSync, copyFileSync, mkdirSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import net from 'node:net';
import path from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { loadNative } from '../../native';
import { serverAddress, serverPort, sh } from '../../testing/two-paths';
import { openPathControl, type OpenPathControlOptions } from '..';

const root = path.resolve(import.meta.dirname, '../../../..');
const native = loadNative();
export const journalFolder = '/run/journal';

/** One line of what a scenario saw. */
export const print = (name: string, value: unknown): void =>
  void process.stdout.write(`${JSON.stringify({ name, value })}\n`);

export const endpoints = (): string =>
  execFileSync('ip', ['mptcp', 'endpoint']).toString().trim().replaceAll(/ +\n/g, '\n').trim();
export const bytesOn = (address: string): number =>
  native
    .snapshot()
    .subflows.filter((subflow) => subflow.local.address === address)
    .reduce((sum, subflow) => sum + (subflow.tcp?.bytesReceived ?? 0), 0);
export const isUsed = (address: string): boolean =>
  native.snapshot().subflows.some((item) => item.local.address === address && item.state === 1);

export async function until(what: string, condition: () => boolean): Promise<number> {
  const startedAt = performance.now();
  for (let tries = 0; tries < 3000; tries += 1) {
    if (condition()) return performance.now() - startedAt;
    await sleep(5);
  }
  throw new Error(`timed out waiting for: ${what}; endpoints: ${endpoints()}`);
}

/** Resolves when no byte came over the address for 600 ms; gives the time until the last one. */
export async function quiet(address: string): Promise<number> {
  const startedAt = performance.now();
  let bytes = bytesOn(address);
  let lastAt = startedAt;
  while (performance.now() - lastAt < 600) {
    await sleep(10);
    const now = bytesOn(address);
    if (now !== bytes) lastAt = performance.now();
    bytes = now;
    if (performance.now() - startedAt > 15_000) throw new Error(`${address} never went quiet`);
  }
  return lastAt - startedAt;
}

/** Waits for more bytes on an address; gives the time. */
export const flows = (address: string, more = 1): Promise<number> => {
  const from = bytesOn(address);
  return until(`bytes on ${address}`, () => bytesOn(address) - from >= more);
};

/** A stream; resolves once an address carries it, as said the second path, which is the later one. */
export async function connect(address = '10.0.2.2'): Promise<net.Socket> {
  const fd = await native.connectMptcp({ address: serverAddress, port: serverPort });
  const client = new net.Socket({ fd });
  client.on('data', () => undefined).on('error', () => undefined);
  await flows(address, 300_000);
  return client;
}

export const open = (more: OpenPathControlOptions = {}): ReturnType<typeof openPathControl> =>
  openPathControl({
    journalFolder,
    isUsed,
    onError: (error) => process.stderr.write(`${String(error)}\n`),
    ...more,
  });

/** A copy of the helper where every user may run it, without its capability. */
export function installHelper(): string {
  const folder = '/run/libexec';
  mkdirSync(folder);
  const program = path.join(folder, 'mpd-pathctl');
  copyFileSync(path.join(root, 'native/build/mpd-pathctl'), program);
  chmodSync(program, 0o755);
  return program;
}

export const allowHelper = (program: string): void => sh('setcap', 'cap_net_admin+ep', program);

/** Runs a part of a scenario as an ordinary user, and passes on what it printed. */
export function runAs(uid: string, script: string, ...args: string[]): void {
  const user = ['--reuid', uid, '--regid', uid, '--clear-groups'];
  const node = [process.execPath, '--import', 'tsx', script, ...args];
  const env = { ...process.env, HOME: '/tmp' };
  const out = execFileSync('setpriv', [...user, ...node], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  process.stdout.write(out);
}
