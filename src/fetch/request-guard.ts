import { bareHost } from '../core';
import {
  addressSpaces,
  isNearer,
  spaceOfAddress,
  spaceOfHost,
  type AddressSpace,
} from './address-space';

/** Addresses of a name. @throws Error if it has none */
export type ResolveHost = (host: string) => Promise<string[]>;

export type IsProxied = (url: URL) => Promise<boolean>;

export interface RequestGuard {
  /**
   * Sets the origin of the stream, which decides about all later requests.
   * @returns the addresses of its name in the space that it was judged to be in; empty without a name or an address
   */
  opened(url: URL): Promise<string[]>;
  /** Adds an address of this program: its page, or the gateway that fetches the media. Every stream reaches it. */
  serves(origin: string): void;
  /** True if the stream may reach an address; for connections that the gateway opens. */
  permits(address: string): boolean;
  /** True if a request of the page is permitted. */
  allows(url: URL): Promise<boolean>;
}

/** Resolved names are cached this long; a stream sends a request a second. */
const CACHE_MS = 30_000;
/** Hosts remembered; a manifest can name any number. */
const MAX_CACHED = 256;

/** Refused origins reported to the viewer; a few suffice. */
const MAX_REPORTED = 16;

/** An address of a name, or the space of an address that stands in a URL itself. */
interface Place {
  address?: string;
  space: AddressSpace;
}
interface Looked {
  places: Place[];
  atMs: number;
}

/**
 * A manifest from the internet must not make the player send requests to this machine or its local network.
 * The page could not read the answers, but the requests could have effects. A stream reaches its own address
 * space and those further out, like web pages under Private Network Access. A stream from a local file may
 * reach everything.
 *
 * A name without an address is refused: a server that fails the first query could answer the next one, Chromium's, with
 * a local address.
 * @param onRefused called once with each refused origin
 */
export function createRequestGuard(
  resolve: ResolveHost,
  nowMs: () => number,
  onRefused: (text: string) => void,
  isProxied: IsProxied,
): RequestGuard {
  const found = new Map<string, Looked>();
  const reported = new Set<string>();
  let from: AddressSpace = 'public';
  let fromHost = '';
  const served = new Set<string>();

  const remember = (host: string, places: Place[]): Place[] => {
    if (found.size >= MAX_CACHED) found.clear();
    found.set(host, { places, atMs: nowMs() });
    return places;
  };
  /** Empty for a name without an address. */
  const placesOf = async (url: URL): Promise<Place[]> => {
    const host = bareHost(url);
    const written = spaceOfHost(host);
    if (written !== undefined) return [{ space: written }];
    const known = found.get(host);
    if (known && nowMs() - known.atMs < CACHE_MS) return known.places;
    const addresses = await resolve(host).catch(() => []);
    const places = addresses.flatMap((address) => {
      const space = spaceOfAddress(address);
      return space === undefined ? [] : [{ address, space }];
    });
    // Not remembered without an address: the name may resolve by the next segment.
    return places.length === 0 ? places : remember(host, places);
  };

  return {
    async opened(url) {
      fromHost = url.host;
      if (!/^https?:$/.test(url.protocol)) {
        from = 'loopback';
        return [];
      }
      // A name with local and remote addresses counts as remote: it may be DNS rebinding.
      const places = await placesOf(url);
      from = addressSpaces.find((one) => places.some(({ space }) => space === one)) ?? 'public';
      return places.flatMap(({ address, space }) => (space === from ? (address ?? []) : []));
    },
    serves(origin) {
      served.add(origin);
    },
    permits(address) {
      const space = spaceOfAddress(address);
      return space !== undefined && !isNearer(space, from);
    },
    async allows(url) {
      if (served.has(url.origin)) return true;
      const places = await placesOf(url);
      if (places.length === 0) {
        // Not reported: without a network, every name is refused.
        if (from !== 'loopback' && !(await isProxied(url))) return false;
        // The next look-up would fail as slowly.
        remember(bareHost(url), []);
        return true;
      }
      const refused = places.map(({ space }) => space).find((space) => isNearer(space, from));
      if (refused === undefined) return true;
      if (!reported.has(url.origin) && reported.size < MAX_REPORTED) {
        reported.add(url.origin);
        onRefused(`${url.origin} (${refused}) was blocked: the stream comes from ${fromHost}`);
      }
      return false;
    },
  };
}
