import type { IpVersion, Name, TimelineEvent } from '../scenario';
import type { LinkStats } from './emulator-protocol';

/** A topology that stands: namespaces, links, routes, MPTCP endpoints. */
export interface LabNetwork {
  /** Namespace file for `nsenter --net=`; undefined for the client, whose namespace is the sandbox's own. */
  netnsOf(node: Name): string | undefined;
  /** Addresses of a node, the one others should use first. With `dual`, IPv4 first unless `family` says otherwise. */
  addressesOf(node: Name, family?: Exclude<IpVersion, 'dual'>): readonly string[];
  /** The server's address that the player's URL names. */
  readonly serverAddress: string;
  /** Interface at the client of each path. */
  interfaceOf(path: Name): string;
  congestionControlOf(node: Name): string;
  /** Does what a timeline event says; done once the kernel acts on it. */
  apply(event: TimelineEvent): Promise<void>;
  /** Traces and outages of all links begin again, at once. */
  restart(): Promise<void>;
  /** Statistics of all queues every so often. Returns what ends it. */
  watch(
    periodMs: number,
    listener: (atMonotonicMs: number, links: LinkStats[]) => void,
  ): Promise<() => Promise<void>>;
  linkStats(): Promise<LinkStats[]>;
  /** Removes every link and namespace. */
  close(): Promise<void>;
}
