/** A stream over the two paths of `kernel/testing/two-paths`, and the kernel's view of it. */
import { chmodSync, chownSync, copyFileSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import net from 'node:net';
import path from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { procStatField } from '../../core';
import { loadNative } from '../../kernel';
import { SERVER_ADDRESS, SERVER_PORT, sh } from '../../kernel/testing/two-paths';
import { openPathControl, type OpenPathControlOptions } from '..';

const root = path.resolve(import.meta.dirname, '../../..');
const native = loadNative();
export const UNDO_FOLDER = '/run/undo';

/** One line of a scenario's observations. */
export const print = (name: string, value: unknown): void =>
  void process.stdout.write(`${JSON.stringify({ name, value })}\n`);

export const endpoints = (): string =>
  execFileSync('ip', ['mptcp', 'endpoint']).toString().trim().replaceAll(/ +\n/g, '\n').trim();
export const bytesOn = (address: string): number =>
  native
    .snapshot()
    .subflows.filter((subflow) => subflow.local.address === address)
    .reduce((sum, subflow) => sum + (subflow.tcp?.bytesReceived ?? 0), 0);
/** Counts connections that a process holds open. A closing connection has no inode. */
const heldTokens = (): ReadonlySet<number> =>
  new Set(
    native
      .snapshot()
      .connections.filter(({ inode, token }) => inode !== 0 && token !== 0)
      .map(({ token }) => token),
  );
export const isUsed = (address: string): boolean => {
  const held = heldTokens();
  return native
    .snapshot()
    .subflows.some(
      ({ local, state, token }) =>
        local.address === address && state === 1 && token !== undefined && held.has(token),
    );
};

/** No process holds a connection any more. The kernel may keep the subflows of a closed one for a minute. */
export const allClosed = (): Promise<number> =>
  until('connections to have closed', () => heldTokens().size === 0);

export async function until(what: string, condition: () => boolean): Promise<number> {
  const startedAt = performance.now();
  for (let tries = 0; tries < 3000; tries += 1) {
    if (condition()) return performance.now() - startedAt;
    await sleep(5);
  }
  throw new Error(`timed out waiting for: ${what}; endpoints: ${endpoints()}`);
}

/** Resolves when no byte came over the address for 600 ms, with the time until the last one. */
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

/** Waits for more bytes on an address and returns the time. */
export const flows = (address: string, more = 1): Promise<number> => {
  const from = bytesOn(address);
  return until(`bytes on ${address}`, () => bytesOn(address) - from >= more);
};

/** A stream. Resolves once an address carries it: by default the second path, which joins later. */
export async function connect(address = '10.0.2.2'): Promise<net.Socket> {
  const fd = await native.connectMptcp({ address: SERVER_ADDRESS, port: SERVER_PORT });
  const client = new net.Socket({ fd });
  client.on('data', () => undefined).on('error', () => undefined);
  await flows(address, 300_000);
  return client;
}

export const open = (more: OpenPathControlOptions = {}): ReturnType<typeof openPathControl> =>
  openPathControl({
    undoFolder: UNDO_FOLDER,
    isUsed,
    onError: (error) => process.stderr.write(`${String(error)}\n`),
    ...more,
  });

/** The group whose members may run the helper. */
const HELPER_GROUP = '4242';

/** A copy of the helper as README.md installs it, without its capability. */
export function installHelper(): string {
  const folder = '/run/libexec';
  mkdirSync(folder);
  const program = path.join(folder, 'mpd-pathctl');
  copyFileSync(path.join(root, 'native/build/mpd-pathctl'), program);
  chownSync(program, 0, Number(HELPER_GROUP));
  chmodSync(program, 0o750);
  return program;
}

export const allowHelper = (program: string): void => sh('setcap', 'cap_net_admin+ep', program);

/** The words that run a command as an ordinary user of the helper's group, or of no group. */
export const asUser = (uid: string, mayRunHelper = true): string[] => [
  'setpriv',
  ...['--reuid', uid, '--regid', uid],
  ...(mayRunHelper ? ['--groups', HELPER_GROUP] : ['--clear-groups']),
];

/** Runs a part of a scenario as an ordinary user of the helper's group, and forwards its output. */
export function runAs(uid: string, script: string, ...args: string[]): void {
  const [setpriv = '', ...user] = asUser(uid);
  const node = [process.execPath, '--import', 'tsx', script, ...args];
  const env = { ...process.env, HOME: '/tmp' };
  const out = execFileSync(setpriv, [...user, ...node], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  process.stdout.write(out);
}

/** Process ids of this process's children with a given name. */
export function children(name: string): number[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .filter((pid) => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
        const parent = procStatField(stat, 4);
        return stat.includes(`(${name})`) && parent === String(process.pid);
      } catch {
        return false;
      }
    })
    .map(Number);
}
