import type { PathId } from '../../core';
import { PathControlError, type EndpointInfo, type PathControl, type PathState } from '../../ports';
import {
  endpointFlag,
  type InterfaceTable,
  type MptcpEndpoint,
  type NetworkChange,
} from '../codec';
import type { EndpointChannel } from './channel';
import { ControlSession } from './control-session';
import { EndpointEditor, freeId } from './endpoint-editor';
import type { Journal } from './journal';
import { isLinkLocal } from './link-local';

export interface LinuxPathControlOptions {
  channel: EndpointChannel;
  /** The interfaces, kept up to date by whoever also calls `networkChanged`. */
  table: Pick<InterfaceTable, 'list' | 'ownerOf' | 'nameOf'>;
  journal?: Journal | undefined;
  /**
   * Endpoints that somebody else made: `keep` never deletes them, so that `closed` is refused and a lost
   * interface leaves them; `suspend` deletes them for as long as that takes and puts them back as found.
   */
  foreignEndpoints: 'keep' | 'suspend';
  /**
   * Whether a subflow comes from this local address now. Without it, every address counts as used, and first
   * subflows without an endpoint are left alone when their interface is lost.
   */
  isUsed?: ((address: string) => boolean) | undefined;
  /** What the living subflows from a local address show; undefined: none is known. */
  shownState?: ((address: string) => 'active' | 'backup' | undefined) | undefined;
  onError: (error: unknown) => void;
}

export interface LinuxPathControl extends PathControl {
  /** An interface or address came or went. */
  networkChanged(change: NetworkChange): Promise<void>;
}

/** Routes come in bursts; each costs a deletion and an addition. */
const maxRejoins = 5;
/** A peer that wants the path as a backup itself cannot be told otherwise. */
const maxRetold = 3;

const withBackup = (endpoint: MptcpEndpoint, backup: boolean): MptcpEndpoint => ({
  ...endpoint,
  flags: backup ? endpoint.flags | endpointFlag.backup : endpoint.flags & ~endpointFlag.backup,
});
const isBackup = ({ flags }: MptcpEndpoint): boolean => (flags & endpointFlag.backup) !== 0;

/** An endpoint taken out of the kernel by this player. */
interface Absent {
  endpoint: MptcpEndpoint;
  pathId: string;
  /** Because the interface was lost, not because it was asked for. */
  lost: boolean;
}

/** PathControl through the in-kernel path manager of this process's network namespace. */
export function createLinuxPathControl(options: LinuxPathControlOptions): LinuxPathControl {
  const { channel, table } = options;
  const editor = new EndpointEditor(channel, options.journal);
  const absent = new Map<string, Absent>();
  /** Put back after a loss, by address: how often a route that came later made it try again. */
  const returned = new Map<string, number>();
  /** By address: how often its subflows were told again what its endpoint says. */
  const retold = new Map<string, number>();
  const session = new ControlSession(options.onError);

  const isOwn = (address: string): boolean => {
    const change = editor.changes.get(address);
    return change !== undefined && change.found === undefined;
  };
  const pathOf = ({ address, interfaceIndex }: MptcpEndpoint): string =>
    table.ownerOf(address) ?? table.nameOf(interfaceIndex) ?? address;
  const named = (pathId: string, name: string, address: string): boolean =>
    pathId === name || address === name;

  const infosOf = (endpoints: readonly MptcpEndpoint[]): EndpointInfo[] => {
    const info = (endpoint: MptcpEndpoint, pathId: string, state: PathState): EndpointInfo => ({
      pathId,
      interfaceName: table.ownerOf(endpoint.address) ?? table.nameOf(endpoint.interfaceIndex),
      address: endpoint.address,
      endpointId: state === 'closed' ? undefined : endpoint.endpointId,
      state,
      origin: isOwn(endpoint.address) ? 'own' : 'foreign',
      changed: editor.changes.get(endpoint.address) !== undefined,
    });
    const present = endpoints
      .filter(({ flags }) => (flags & endpointFlag.implicit) === 0)
      .map((item) => info(item, pathOf(item), isBackup(item) ? 'backup' : 'active'));
    const out = [...absent.values()]
      .filter(({ endpoint }) => !endpoints.some(({ address }) => address === endpoint.address))
      .map(({ endpoint, pathId }) => info(endpoint, pathId, 'closed'));
    return [...present, ...out];
  };

  const tell = async (detail: string): Promise<void> => {
    session.say({ detail, endpoints: infosOf(await editor.list()) });
  };

  const addressesOf = (name: string): { address: string; index: number }[] =>
    table
      .list()
      .filter(({ loopback }) => !loopback)
      .flatMap(({ name: owner, index, addresses }) =>
        addresses
          .filter((address) => named(owner, name, address) && !isLinkLocal(address))
          .map((address) => ({ address, index })),
      );

  /** Takes an endpoint out, to be put back later. */
  const takeOut = async (endpoint: MptcpEndpoint, lost: boolean): Promise<void> => {
    const pathId = pathOf(endpoint);
    const own = isOwn(endpoint.address);
    await editor.apply(endpoint.address, endpoint, undefined);
    // Its subflow is gone: the kernel opens a new one only where the flag says so.
    const flags = own ? endpoint.flags | endpointFlag.subflow : endpoint.flags;
    absent.set(endpoint.address, { endpoint: { ...endpoint, flags }, pathId, lost });
  };
  /** Puts it back; what somebody else made there meanwhile is left alone. */
  const putBack = async ({ endpoint }: Absent, all: readonly MptcpEndpoint[]): Promise<boolean> => {
    absent.delete(endpoint.address);
    if (all.some(({ address }) => address === endpoint.address)) return false;
    const taken = all.some(({ endpointId }) => endpointId === endpoint.endpointId);
    const endpointId = taken || endpoint.endpointId === 0 ? freeId(all) : endpoint.endpointId;
    await editor.apply(endpoint.address, undefined, { ...endpoint, endpointId });
    return true;
  };
  const ownEndpoint = (address: string, interfaceIndex: number): MptcpEndpoint => ({
    endpointId: 0,
    address,
    port: 0,
    flags: endpointFlag.subflow,
    interfaceIndex,
  });

  const close = async (name: string, present: readonly MptcpEndpoint[]): Promise<boolean> => {
    const foreign = present.find(({ address }) => !isOwn(address));
    if (foreign && options.foreignEndpoints === 'keep') {
      const message = `endpoint ${foreign.address} is not this player's: it is not deleted; make it a backup instead`;
      throw new PathControlError('FOREIGN', message);
    }
    for (const endpoint of present) await takeOut(endpoint, false);
    for (const item of absent.values()) {
      if (named(item.pathId, name, item.endpoint.address)) item.lost = false;
    }
    let closed = present.length > 0;
    for (const { address, index } of addressesOf(name)) {
      if (absent.has(address) || options.isUsed?.(address) !== true) continue;
      await editor.closeFirstSubflows(address);
      absent.set(address, { endpoint: ownEndpoint(address, index), pathId: name, lost: false });
      closed = true;
    }
    return closed;
  };

  /**
   * The kernel tells subflows only what changes, and one that shakes hands at that moment does not hear of it
   * (Linux 6.18): then there and back again.
   */
  const tellAgain = async (endpoint: MptcpEndpoint): Promise<boolean> => {
    const { address } = endpoint;
    const shown = options.shownState?.(address);
    if (shown === undefined || shown === (isBackup(endpoint) ? 'backup' : 'active')) {
      retold.delete(address);
      return false;
    }
    const isUsers = isBackup(endpoint) && !editor.changes.get(address);
    const times = retold.get(address) ?? 0;
    if (isUsers || times >= maxRetold) return false;
    retold.set(address, times + 1);
    const opposite = withBackup(endpoint, !isBackup(endpoint));
    await editor.apply(address, endpoint, opposite);
    await editor.apply(address, opposite, endpoint);
    return true;
  };

  const open = async (
    name: string,
    backup: boolean,
    present: readonly MptcpEndpoint[],
  ): Promise<boolean> => {
    const users = present.find((item) => isBackup(item) && !editor.changes.get(item.address));
    if (!backup && users) {
      const message = `endpoint ${users.address} was made a backup by somebody else; that is respected`;
      throw new PathControlError('FOREIGN', message);
    }
    let changed = false;
    for (const endpoint of present) {
      if (isBackup(endpoint) === backup) {
        changed = (await tellAgain(endpoint)) || changed;
        continue;
      }
      retold.delete(endpoint.address);
      await editor.apply(endpoint.address, endpoint, withBackup(endpoint, backup));
      changed = true;
    }
    const out = [...absent.values()].filter((item) =>
      named(item.pathId, name, item.endpoint.address),
    );
    for (const item of out) {
      item.endpoint = withBackup(item.endpoint, backup);
      // One whose interface is lost comes back with the interface.
      if (!item.lost) changed = (await putBack(item, await editor.list())) || changed;
    }
    if (present.length > 0 || out.length > 0) return changed;
    for (const { address, index } of addressesOf(name)) {
      const used = options.isUsed?.(address) ?? true;
      if (!backup && used) continue;
      // A first subflow that is there already would be doubled by the `subflow` flag.
      const flags = used ? 0 : endpointFlag.subflow;
      const endpointId = freeId(await editor.list());
      const fresh = { ...ownEndpoint(address, index), endpointId, flags };
      await editor.apply(address, undefined, fresh);
      // Only a change of the flag is told to the peer for subflows that exist already.
      if (backup) await editor.apply(address, fresh, withBackup(fresh, true));
      changed = true;
    }
    return changed;
  };

  const setState = async (pathId: PathId, state: PathState): Promise<void> => {
    const name = pathId.split('>')[0] ?? pathId;
    const all = await editor.list();
    const present = all.filter(
      (item) =>
        (item.flags & endpointFlag.implicit) === 0 && named(pathOf(item), name, item.address),
    );
    const known = [...absent.values()].some(({ pathId: path, endpoint }) =>
      named(path, name, endpoint.address),
    );
    if (present.length === 0 && !known && addressesOf(name).length === 0) {
      throw new PathControlError('NO_SUCH_PATH', `no interface or address "${name}" to control`);
    }
    const changed =
      state === 'closed'
        ? await close(name, present)
        : await open(name, state === 'backup', present);
    if (changed) await tell(`${name} is ${state}`);
  };

  const lose = async (name: string, address: string | undefined): Promise<void> => {
    const gone = (item: string): boolean => address === undefined || item === address;
    const all = await editor.list();
    let changed = false;
    for (const endpoint of all) {
      if (pathOf(endpoint) !== name || !gone(endpoint.address)) continue;
      if (!isOwn(endpoint.address) && options.foreignEndpoints === 'keep') continue;
      await takeOut(endpoint, true);
      changed = true;
    }
    const candidates = address === undefined ? addressesOf(name) : [{ address, index: 0 }];
    for (const { address: at, index } of candidates) {
      if (all.some((item) => item.address === at) || absent.has(at)) continue;
      if (options.isUsed?.(at) !== true) continue;
      await editor.closeFirstSubflows(at);
      absent.set(at, { endpoint: ownEndpoint(at, index), pathId: name, lost: true });
      changed = true;
    }
    if (changed) await tell(`${name} was lost: its subflows are closed`);
  };

  const regain = async (name: string): Promise<void> => {
    const link = table.list().find((item) => item.name === name);
    if (link?.up !== true) return;
    let changed = false;
    for (const item of [...absent.values()]) {
      if (!item.lost || item.pathId !== name) continue;
      if (!link.addresses.includes(item.endpoint.address)) continue;
      if (!(await putBack(item, await editor.list()))) continue;
      returned.set(item.endpoint.address, 0);
      changed = true;
    }
    if (changed) await tell(`${name} is back`);
  };

  /** The kernel tries once; where the route came after the address, that was too early. */
  const joinAgain = async (name: string): Promise<void> => {
    for (const [address, tries] of [...returned]) {
      if (table.ownerOf(address) !== name) continue;
      const endpoint = (await editor.list()).find((item) => item.address === address);
      if (!endpoint || tries >= maxRejoins || options.isUsed?.(address) !== false) {
        returned.delete(address);
        continue;
      }
      returned.set(address, tries + 1);
      await editor.apply(address, endpoint, undefined);
      await editor.apply(address, undefined, endpoint);
    }
  };

  const restore = async (): Promise<void> => {
    absent.clear();
    const undone = (await editor.recover()) + (await editor.restore());
    if (undone > 0) await tell('everything is as found');
  };

  channel.onGone?.((error) => session.end(error));

  return {
    capability: () => session.incapability() ?? { available: true, through: channel.through },
    list: () => session.whenOpen(async () => infosOf(await editor.list())),
    setState: (pathId, state) => session.whenOpen(() => setState(pathId, state)),
    onChange: (listener) => session.onChange(listener),
    restore: () => session.whenOpen(restore),
    close: () => session.close(restore, () => editor.close()),
    async networkChanged({ kind, interfaceName, address }) {
      if (interfaceName === undefined || session.isClosing) return;
      await session
        .inOrder(async () => {
          if (kind === 'interface-down') await lose(interfaceName, undefined);
          else if (kind === 'address-removed') await lose(interfaceName, address);
          else {
            await regain(interfaceName);
            if (kind === 'route-changed') await joinAgain(interfaceName);
          }
        })
        .catch(options.onError);
    },
  };
}
