import { setTimeout as sleep } from 'node:timers/promises';
import { LabError } from '../errors';
import { inNetns, runInNetns } from '../netns';
import { tryCommand } from '../run-command';
import { firstFreePort, usedPorts } from './socket-table';
import { type Program, startFailure } from './program';

/** Time limit until a path works or a program listens, and interval of looks. Chosen; no measurement. */
const TIMEOUT_MS = 10_000;
const POLL_MS = 30;
/** A port without a listener: the reset that answers shows that both directions work. */
const CLOSED_PORT = 9;

const REACH_SCRIPT = `
const [host, port, timeoutMs] = process.argv.slice(1);
const deadlineMs = performance.now() + Number(timeoutMs);
const attempt = () => {
  const socket = require('node:net').connect({ host, port: Number(port) });
  const again = () => {
    socket.destroy();
    if (performance.now() > deadlineMs) process.exit(1);
    setTimeout(attempt, 50);
  };
  socket.setTimeout(1000, again);
  socket.on('connect', () => process.exit(0));
  socket.on('error', (error) => (error.code === 'ECONNREFUSED' ? process.exit(0) : again()));
};
attempt();
`;

/**
 * Waits until packets get from one node to the other and back.
 * @throws LabError TRAFFIC_FAILED
 */
export async function waitUntilReachable(
  netns: string | undefined,
  address: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const argv = [process.execPath, '-e', REACH_SCRIPT, address];
  const [command, args] = inNetns(netns, [...argv, String(CLOSED_PORT), String(TIMEOUT_MS)]);
  const result = await tryCommand(command, args, {
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
    ...(signal === undefined ? {} : { signal }),
  });
  if (result.exitCode === 0) return;
  const seconds = String(TIMEOUT_MS / 1000);
  throw new LabError('TRAFFIC_FAILED', `${address} does not answer within ${seconds} s`);
}

/** The kernel's socket table of a namespace, IPv4 and IPv6. */
export async function readSocketTable(
  netns: string | undefined,
  kind: 'tcp' | 'udp',
): Promise<string> {
  // The second file is missing without IPv6.
  const script = 'cat "/proc/net/$0" "/proc/net/${0}6" 2>/dev/null || :';
  return runInNetns(netns, ['sh', '-c', script, kind]);
}

async function portsInUse(netns: string | undefined, kind: 'tcp' | 'udp'): Promise<Set<number>> {
  return usedPorts(await readSocketTable(netns, kind));
}

/** Ports assigned in this process and perhaps not bound yet, by namespace. */
const givenOut = new Map<string, Set<number>>();

/**
 * A free port in a namespace, near the usual one.
 * @throws LabError TRAFFIC_FAILED with the range
 */
export async function takePort(
  netns: string | undefined,
  kind: 'tcp' | 'udp',
  base: number,
  shape: { count?: number; step?: number } = {},
): Promise<{ port: number; release: () => void }> {
  const used = await portsInUse(netns, kind);
  const key = `${netns ?? ''} ${kind}`;
  const taken = givenOut.get(key) ?? new Set();
  givenOut.set(key, taken);
  const port = firstFreePort(base, new Set([...used, ...taken]), shape);
  if (port === undefined) {
    throw new LabError(
      'TRAFFIC_FAILED',
      `every ${kind} port from ${base} on is in use${netns === undefined ? '' : ` in ${netns}`}`,
      `see who: ss -lnp --${kind}`,
    );
  }
  const ports = Array.from({ length: shape.count ?? 1 }, (_, index) => port + index * 2);
  for (const one of ports) taken.add(one);
  return {
    port,
    release: () => {
      for (const one of ports) taken.delete(one);
    },
  };
}

/**
 * Waits until a program has opened its port.
 * @throws LabError TRAFFIC_FAILED with the program's output
 */
export async function waitUntilListening(
  program: Program,
  netns: string | undefined,
  kind: 'tcp' | 'udp',
  port: number,
): Promise<void> {
  const deadlineMs = performance.now() + TIMEOUT_MS;
  while (!(await portsInUse(netns, kind)).has(port)) {
    if (program.hasEndedEarly || performance.now() > deadlineMs) {
      throw await startFailure(program, `port ${port} stays closed`);
    }
    await sleep(POLL_MS);
  }
}
