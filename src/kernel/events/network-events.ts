import os from 'node:os';
import type { NetlinkMessage, rt } from 'netlink';
import { errorText, isLinkLocal } from '../../core';
import { formatAddress, InterfaceTable, type NetworkChange } from '../codec';
import { loadNetlink, socketOptions, type Netlink, type OnNote } from './netlink';

export interface NetworkEventsOptions {
  /** Called after the start, at every change. */
  onChange: (change: NetworkChange) => void;
  onNote: OnNote;
}

/** Interfaces, addresses and routes of the process's network namespace, kept up to date. */
export interface NetworkEvents {
  readonly table: InterfaceTable;
  /** Resolves once the table is filled; never rejects, but leaves a note. */
  start(): Promise<void>;
  close(): void;
}

/** Multicast groups of rtnetlink: links, IPv4 and IPv6 addresses, IPv4 and IPv6 routes. */
const groups = [1, 5, 9, 7, 11];
/** RT_TABLE_LOCAL: routes to this machine's own addresses. */
const LOCAL_TABLE = 255;
/** Most dumps of the tables after lost events; a network that never rests is followed by its events. */
const MAX_LOOKS = 20;

function linkChanges(
  table: InterfaceTable,
  removed: boolean,
  message: rt.LinkMessage,
): NetworkChange[] {
  const { index, flags, family } = message.data;
  // Bridges announce their ports with a family of their own.
  if (index === undefined || (family ?? 0) !== 0) return [];
  if (removed) return table.removeLink(index);
  return table.setLink({
    index,
    name: message.attrs.ifname ?? `if${index}`,
    up: flags?.up === true && flags.running === true,
    loopback: flags?.loopback === true,
  });
}

const flagsOf = ({ data, attrs }: rt.AddressMessage): NonNullable<rt.Address['flags']> =>
  attrs.flags ?? data.flags ?? {};

/**
 * False while duplicate address detection is under way (RFC 4862, section 5.4) or found a duplicate: no socket may use the
 * address then. The kernel reports it again afterwards. No path uses a link-local address, whose detection is not awaited.
 */
function isUsable(message: rt.AddressMessage, address: string): boolean {
  if (isLinkLocal(address)) return true;
  const { tentative, optimistic, dadfailed } = flagsOf(message);
  return dadfailed !== true && (tentative !== true || optimistic === true);
}

function addressChanges(
  table: InterfaceTable,
  isDeletion: boolean,
  message: rt.AddressMessage,
): NetworkChange[] {
  const bytes = message.attrs.local ?? message.attrs.address;
  const address = bytes && formatAddress(bytes);
  const { index } = message.data;
  if (address === undefined || index === undefined) return [];
  const isThere = !isDeletion && isUsable(message, address);
  if (!isThere) return table.removeAddress(index, address);
  return table.addAddress(index, address, flagsOf(message).deprecated === true);
}

function routeChange(
  table: InterfaceTable,
  removed: boolean,
  message: rt.RouteMessage,
): NetworkChange[] {
  const { data, attrs } = message;
  const id = attrs.table ?? data.table;
  if (data.type !== 'UNICAST' || id === LOCAL_TABLE || data.flags?.cloned === true) return [];
  const interfaceName = attrs.oif === undefined ? undefined : table.nameOf(attrs.oif);
  const gateway = attrs.gateway && formatAddress(attrs.gateway);
  const target = attrs.dst ? `${formatAddress(attrs.dst) ?? '?'}/${data.dstLen ?? 0}` : 'default';
  const detail = [
    `route ${target}`,
    gateway === undefined ? '' : ` via ${gateway}`,
    interfaceName === undefined ? '' : ` dev ${interfaceName}`,
    removed ? ' removed' : ' added',
  ].join('');
  return [
    { kind: 'route-changed', detail, ...(interfaceName === undefined ? {} : { interfaceName }) },
  ];
}

function apply(netlink: Netlink, table: InterfaceTable, raw: NetlinkMessage): NetworkChange[] {
  const types = netlink.rt.MessageType;
  const deletions = [types.DELLINK, types.DELADDR, types.DELROUTE];
  const known = [...deletions, types.NEWLINK, types.NEWADDR, types.NEWROUTE];
  const type = known.find((item: number) => item === raw.type);
  if (type === undefined) return [];
  const message = netlink.rt.parseMessage(type, raw.data);
  const removed = deletions.includes(type);
  if (message.kind === 'link') return linkChanges(table, removed, message);
  if (message.kind === 'address') return addressChanges(table, removed, message);
  if (message.kind === 'route') return routeChange(table, removed, message);
  return [];
}

/** Synchronises the table with the kernel; returns the changes. */
async function refresh(netlink: Netlink, table: InterfaceTable): Promise<NetworkChange[]> {
  const socket = netlink.createRtNetlink(socketOptions);
  try {
    const links = await socket.getLinks();
    const addresses = await socket.getAddresses();
    const changes: NetworkChange[] = [];
    const present = new Set(links.map((link) => link.data.index));
    for (const known of table.list()) {
      if (!present.has(known.index)) changes.push(...table.removeLink(known.index));
    }
    for (const link of links) changes.push(...linkChanges(table, false, link));
    const held = new Set<string>();
    for (const address of addresses) {
      changes.push(...addressChanges(table, false, address));
      const bytes = address.attrs.local ?? address.attrs.address;
      if (bytes) held.add(`${address.data.index ?? 0} ${formatAddress(bytes) ?? ''}`);
    }
    for (const { index, addresses: known } of table.list()) {
      for (const address of known) {
        if (!held.has(`${index} ${address}`)) changes.push(...table.removeAddress(index, address));
      }
    }
    return changes;
  } finally {
    socket.socket.close();
  }
}

/** Node's list of addresses; empty if no descriptor is left to ask the kernel. */
function nodeInterfaces(): ReturnType<typeof os.networkInterfaces> {
  try {
    return os.networkInterfaces();
  } catch {
    return {};
  }
}

/** Node's own list of interfaces, read once if netlink is unavailable. */
function fillFromNode(table: InterfaceTable): void {
  Object.entries(nodeInterfaces()).forEach(([name, addresses], position) => {
    const index = position + 1;
    const loopback = addresses?.some((address) => address.internal) ?? false;
    table.setLink({ index, name, up: true, loopback });
    for (const { address } of addresses ?? []) table.addAddress(index, address);
  });
}

/** Follows interfaces, addresses and routes through rtnetlink; needs no privilege. */
export function createNetworkEvents(options: NetworkEventsOptions): NetworkEvents {
  const table = new InterfaceTable();
  let socket: ReturnType<Netlink['createNetlink']> | undefined;
  let closed = false;

  const publish = (changes: NetworkChange[]): void => changes.forEach(options.onChange);
  const unavailable = (error: unknown): void =>
    options.onNote({
      code: 'EVENTS_UNAVAILABLE',
      message: `interface changes are not seen at once (${errorText(error)}); they show when traffic stops`,
    });

  const start = async (): Promise<void> => {
    const netlink = await loadNetlink();
    if (closed) return;
    const events = netlink.createNetlink(netlink.Protocol.ROUTE, { ...socketOptions, ref: true });
    socket = events;
    // Subscribing before the first dump misses no change, and repeated changes have no effect.
    for (const group of groups) events.addMembership(group);
    let filled = false;
    const waiting: NetlinkMessage[] = [];
    const handle = (raw: NetlinkMessage): void => {
      try {
        publish(apply(netlink, table, raw));
      } catch (error) {
        unavailable(error);
      }
    };
    let received = 0;
    let looking = false;
    /** Looks until no event came meanwhile: an event may be newer than the result of a look. */
    const lookAgain = async (): Promise<void> => {
      if (looking) return;
      looking = true;
      try {
        for (
          let looks = 0, before = -1;
          looks < MAX_LOOKS && received !== before && !closed;
          looks += 1
        ) {
          before = received;
          publish(await refresh(netlink, table));
        }
      } finally {
        looking = false;
      }
    };
    events.on('message', (messages) => {
      received += 1;
      if (filled) messages.forEach(handle);
      else waiting.push(...messages);
    });
    events.on('error', (error) => {
      // The kernel dropped events: dump everything again.
      options.onNote({ code: 'EVENTS_OVERRUN', message: `events were lost (${error.message})` });
      received += 1;
      if (!closed) lookAgain().catch(unavailable);
    });
    await refresh(netlink, table);
    filled = true;
    waiting.splice(0).forEach(handle);
  };

  return {
    table,
    async start() {
      try {
        await start();
      } catch (error) {
        unavailable(error);
        // Node's list has other indexes than the kernel's events.
        socket?.close();
        socket = undefined;
        fillFromNode(table);
      }
    },
    close() {
      if (closed) return;
      closed = true;
      socket?.close();
    },
  };
}
