import type { IpVersion, LinkEvent, Name } from '../scenario';
import type { LinkStats } from './emulator-protocol';
import type { Flow } from './network/flows';

/** A running topology: namespaces, links, routes, MPTCP endpoints. */
export interface LabNetwork {
  /** Namespace file for `nsenter --net=`; undefined for the client, whose namespace is the sandbox's own. */
  netnsOf(node: Name): string | undefined;
  /** Addresses of a node, preferred one first. With `dual`, IPv4 first unless `family` is given. */
  addressesOf(node: Name, family?: Exclude<IpVersion, 'dual'>): readonly string[];
  /** The place of the media server, for {@link startMediaServer}. */
  readonly server: { netns?: string; address: string; congestionControl: string };
  /** Interface at the client of each path. */
  interfaceOf(path: Name): string;
  congestionControlOf(node: Name): string;
  /** Applies an event of the timeline, now whatever its time; resolves once the kernel acts on it. */
  apply(event: LinkEvent & { atMs?: number }): Promise<void>;
  /**
   * Routes packets between addresses over these links from now on, before any route of the topology: once for each pair
   * of addresses, between nodes other than the client.
   * @throws LabError COMMAND_FAILED for a pair that has such a route
   */
  route(flows: readonly Flow[]): Promise<void>;
  /** Restarts traces and outages of all links at once. */
  restart(): Promise<void>;
  /** Reports statistics of all queues periodically. Returns a function that stops it. */
  watch(
    periodMs: number,
    listener: (atMonotonicMs: number, links: LinkStats[]) => void,
  ): Promise<() => Promise<void>>;
  linkStats(): Promise<LinkStats[]>;
  /** Removes every link and namespace. */
  close(): Promise<void>;
}
