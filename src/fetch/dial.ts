import { isIP, type Socket } from 'node:net';
import { connect as connectTls, rootCertificates, type TLSSocket } from 'node:tls';
import { bareHost, errorText, portOf } from '../core';
import type { spaceOfAddress } from './address-space';
import { connectBound, type BoundConnection, type SocketNative } from './bound-connect';
import { alternateFamilies, raceToConnect } from './happy-eyeballs';
import { familyOf, type Network } from './network';
import type { Resolve } from './resolve';

/** An open connection to an origin, over one network. */
export interface DialedConnection {
  /** The socket that carries HTTP: the TLS socket, or the TCP socket itself. */
  socket: Socket | TLSSocket;
  bound: BoundConnection;
  /** Chosen by ALPN. */
  http2: boolean;
}

/** The reason why no connection was established, in words for the panel. */
export class DialError extends Error {
  override readonly name = 'DialError';
  /**
   * `certificate`, `nearer`: another host would answer, for example a captive portal. `refused`: the host answers, and
   * nothing listens at the port.
   */
  readonly cause_: 'dns' | 'route' | 'connect' | 'refused' | 'certificate' | 'nearer';

  constructor(cause: DialError['cause_'], message: string) {
    super(message);
    this.cause_ = cause;
  }
}

export interface DialOptions {
  addon: SocketNative;
  resolve: Resolve;
  /**
   * True if packets from this address reach the other one over that network; without an address, from the one that the
   * kernel chooses. Undefined: unknown.
   */
  reaches?: (
    to: string,
    from: string | undefined,
    interfaceIndex: number,
  ) => Promise<boolean | undefined>;
  /** False for an address that the stream must not reach. Default: all are permitted. */
  permits?: ((address: string) => boolean) | undefined;
  /** Space of an address. Default: the registry of RFC 6890. */
  spaceOf?: typeof spaceOfAddress;
  /** Certificate authorities to trust beside the system's, PEM. */
  extraCa?: string | undefined;
}

/** Time limit of a TLS handshake, so that a silent server does not keep a connection. Chosen; no measurement. */
const TLS_TIMEOUT_MS = 5000;

/** Errors of OpenSSL and Node for a peer whose certificate does not match its name. */
const isCertificateError = (error: NodeJS.ErrnoException): boolean =>
  /CERT|ERR_TLS|ISSUER|SELF_SIGNED|SIGNATURE/.test(error.code ?? '');

/** The source address of a connection. */
interface Source {
  /** Undefined: the kernel chooses it. */
  address: string | undefined;
}

/**
 * Finds the source address for a destination. The route's `src` or its gateway decides where the interface has a route for
 * any source. A route in the table of a source rule (ip-rule(8), `from`) needs that source.
 * @returns undefined without a route
 */
async function findSource(
  { reaches }: DialOptions,
  { addresses, interfaceIndex }: Network,
  to: string,
): Promise<Source | undefined> {
  const own = addresses.filter((address) => familyOf(address) === familyOf(to));
  if (own.length === 0) return undefined;
  for (const address of [undefined, ...own]) {
    const known = await reaches?.(to, address, interfaceIndex);
    if (known === true) return { address };
    // The tables cannot be asked. Of several IPv6 addresses the kernel chooses (RFC 6724).
    if (known === undefined) return { address: familyOf(to) === 4 ? own[0] : undefined };
  }
  return undefined;
}

/** The addresses that the network has a route to, with the source address for each. */
async function reachable(
  options: DialOptions,
  network: Network,
  addresses: readonly string[],
): Promise<Map<string, Source>> {
  const kept = new Map<string, Source>();
  for (const address of addresses) {
    const source = await findSource(options, network, address);
    if (source) kept.set(address, source);
  }
  return kept;
}

/** Conditions of one attempt to connect. */
interface DialTerms {
  signal?: AbortSignal;
  windowBytes?: number;
}

/**
 * Connects to an origin over one network: name, addresses, Happy Eyeballs, TLS. Addresses may be remembered ones. If none
 * of them serves, the name is looked up again, and other addresses are tried.
 * @throws DialError
 */
export async function dial(
  origin: URL,
  network: Network,
  options: DialOptions,
  terms: DialTerms = {},
): Promise<DialedConnection> {
  const host = bareHost(origin);
  const resolved = await options.resolve(host, network).catch((error: unknown) => {
    throw new DialError('dns', `${host} does not resolve over ${network.id}: ${errorText(error)}`);
  });
  try {
    return await dialOneOf(resolved, origin, network, options, terms);
  } catch (error) {
    if (terms.signal?.aborted === true) throw error;
    const renewed = await options.resolve(host, network, true).catch(() => []);
    const others = renewed.filter((address) => !resolved.includes(address));
    if (others.length === 0) throw error;
    return await dialOneOf(others, origin, network, options, terms);
  }
}

async function dialOneOf(
  resolved: readonly string[],
  origin: URL,
  network: Network,
  options: DialOptions,
  { signal, windowBytes }: DialTerms,
): Promise<DialedConnection> {
  const host = bareHost(origin);
  const isTls = origin.protocol === 'https:';
  const port = portOf(origin);
  const { permits } = options;
  const permitted = permits ? resolved.filter((address) => permits(address)) : resolved;
  if (permitted.length < resolved.length && permitted.length === 0) {
    throw new DialError('nearer', `${host} is nearer to this machine than the stream's server`);
  }
  const sources = await reachable(options, network, permitted);
  if (sources.size === 0) {
    throw new DialError('route', `${network.id} has no route to ${host}`);
  }
  const bound = await raceToConnect({
    addresses: alternateFamilies([...sources.keys()]),
    attempt(address, attemptSignal) {
      const target = { address, port, localAddress: sources.get(address)?.address, windowBytes };
      return connectBound(options.addon, network, target, attemptSignal);
    },
    discard: (late) => late.socket.destroy(),
    after(delayMs, callback) {
      const timer = setTimeout(callback, delayMs);
      return () => clearTimeout(timer);
    },
    signal,
  }).catch((error: unknown) => {
    const isRefused = (error as NodeJS.ErrnoException).code === 'ECONNREFUSED';
    const cause = isRefused ? 'refused' : 'connect';
    throw new DialError(cause, `${host} over ${network.id}: ${errorText(error)}`);
  });
  if (!isTls) return { socket: bound.socket, bound, http2: false };
  const socket = await secure(host, bound, options.extraCa, network.id);
  return { socket, bound, http2: socket.alpnProtocol === 'h2' };
}

function secure(
  host: string,
  bound: BoundConnection,
  extraCa: string | undefined,
  networkId: string,
): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const socket = connectTls({
      socket: bound.socket,
      ...(isIP(host) === 0 ? { servername: host } : { host }),
      ALPNProtocols: ['h2', 'http/1.1'],
      ...(extraCa === undefined ? {} : { ca: [...rootCertificates, extraCa] }),
    });
    const fail = (error: NodeJS.ErrnoException): void => {
      clearTimeout(timer);
      socket.destroy();
      const cause = isCertificateError(error) ? 'certificate' : 'connect';
      reject(new DialError(cause, `TLS with ${host} over ${networkId}: ${error.message}`));
    };
    const timer = setTimeout(() => fail(new Error('no answer in time')), TLS_TIMEOUT_MS);
    socket.once('error', fail);
    socket.once('secureConnect', () => {
      clearTimeout(timer);
      // `connectBound` ignores later errors in the same way.
      socket.on('error', () => undefined);
      socket.off('error', fail);
      resolve(socket);
    });
  });
}
