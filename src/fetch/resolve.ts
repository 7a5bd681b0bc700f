import { lookup } from 'node:dns/promises';
import { connect, isIP } from 'node:net';
import * as v from 'valibot';
import type { Network } from './network';

/**
 * Asks for the addresses of a host name as seen from one network.
 * @throws Error if the name does not resolve
 */
export type LookUp = (host: string, network: Network) => Promise<string[]>;

/**
 * Addresses of a host name as seen from one network, which may be remembered.
 * @param isAnew the last ones were of no use, so the name is looked up first
 * @throws Error if the name does not resolve
 */
export type Resolve = (host: string, network: Network, isAnew?: boolean) => Promise<string[]>;

/** Varlink socket of systemd-resolved (since systemd 248), open to every user. */
const RESOLVED_SOCKET = '/run/systemd/resolve/io.systemd.Resolve';
/** systemd-resolved gives up after 30 s. That is too long for a player. */
const TIMEOUT_MS = 3000;
/** Longest answer that is read, so that a faulty resolver cannot fill memory. Chosen; no measurement. */
const MAX_ANSWER_BYTES = 65_536;

const byte = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(255));
const answerSchema = v.object({
  parameters: v.optional(
    v.object({ addresses: v.optional(v.array(v.object({ address: v.array(byte) }))) }),
  ),
  error: v.optional(v.string()),
});

/** systemd-resolved does not run here, so the system's resolver is used. */
export class NoLinkResolver extends Error {
  override readonly name = 'NoLinkResolver';
}

function textOf(bytes: readonly number[]): string | undefined {
  if (bytes.length === 4) return bytes.join('.');
  if (bytes.length !== 16) return undefined;
  const groups = Array.from({ length: 8 }, (_, i) =>
    (((bytes[2 * i] ?? 0) << 8) | (bytes[2 * i + 1] ?? 0)).toString(16),
  );
  return groups.join(':');
}

/**
 * Resolves a name on one link only (varlink, `io.systemd.Resolve.ResolveHostname`).
 * @throws NoLinkResolver if systemd-resolved does not run; Error with its error name if the link does not know the
 * name
 */
export async function resolveOnLink(
  host: string,
  interfaceIndex: number,
  socketPath = RESOLVED_SOCKET,
): Promise<string[]> {
  const request = {
    method: 'io.systemd.Resolve.ResolveHostname',
    parameters: { name: host, ifindex: interfaceIndex, flags: 0 },
  };
  const text = await new Promise<string>((resolve, reject) => {
    const socket = connect(socketPath);
    const chunks: Buffer[] = [];
    let size = 0;
    socket.setTimeout(TIMEOUT_MS, () => socket.destroy(new Error('DNS timed out')));
    socket.once('connect', () => socket.write(`${JSON.stringify(request)}\0`));
    socket.once('error', (error: NodeJS.ErrnoException) => {
      const absent = ['ENOENT', 'ECONNREFUSED', 'EACCES'].includes(error.code ?? '');
      reject(absent ? new NoLinkResolver(error.message) : error);
    });
    socket.once('close', () => reject(new Error('systemd-resolved closed the connection')));
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      const ends = chunk.includes(0);
      if (!ends && size < MAX_ANSWER_BYTES) return;
      resolve(Buffer.concat(chunks).toString('utf8').split('\0', 1)[0] ?? '');
      socket.destroy();
    });
  });
  const answer = v.parse(answerSchema, JSON.parse(text));
  if (answer.error !== undefined) throw new Error(`${host}: ${answer.error}`);
  const addresses = (answer.parameters?.addresses ?? []).flatMap(({ address }) => {
    const found = textOf(address);
    return found === undefined ? [] : [found];
  });
  if (addresses.length === 0) throw new Error(`${host} has no address`);
  return addresses;
}

/**
 * A lookup by the system is shared between the networks for this time, so that a resolver that does not answer keeps few of
 * Node's four threads (UV_THREADPOOL_SIZE). Later it may have another nameserver. Chosen; no measurement.
 */
const SHARED_MS = 10_000;

const systemResolve = async (host: string): Promise<string[]> =>
  (await lookup(host, { all: true })).map(({ address }) => address);

/** Lets questions for the same host share one lookup. */
function shareLookups(
  lookUp: (host: string) => Promise<string[]>,
  nowMs: () => number,
): (host: string) => Promise<string[]> {
  const running = new Map<string, { answer: Promise<string[]>; sinceMs: number }>();
  return (host) => {
    const known = running.get(host);
    if (known && nowMs() - known.sinceMs < SHARED_MS) return known.answer;
    const answer = lookUp(host).finally(() => {
      if (running.get(host)?.answer === answer) running.delete(host);
    });
    running.set(host, { answer, sinceMs: nowMs() });
    return answer;
  };
}

/**
 * Resolves a name with the DNS servers of the network if systemd-resolved runs, else with the system's resolver. It
 * also falls back if the link's DNS fails: the system's answer may still be reachable over it.
 */
export function createLookUp(
  onLink: typeof resolveOnLink = resolveOnLink,
  systemLookUp: (host: string) => Promise<string[]> = systemResolve,
  nowMs: () => number = () => performance.now(),
): LookUp {
  const bySystem = shareLookups(systemLookUp, nowMs);
  return async (host, network) => {
    if (isIP(host) !== 0) return [host];
    try {
      return await onLink(host, network.interfaceIndex);
    } catch {
      return bySystem(host);
    }
  };
}
