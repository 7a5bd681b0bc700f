import { keepNewest, type PathEventKind } from '../../core';

/** A change of the machine's interfaces, without time and path. */
export interface NetworkChange {
  kind: Extract<
    PathEventKind,
    'interface-up' | 'interface-down' | 'address-added' | 'address-removed' | 'route-changed'
  >;
  interfaceName?: string;
  address?: string;
  detail: string;
}

export interface LinkUpdate {
  index: number;
  name: string;
  /** Administratively up and with a carrier. */
  up: boolean;
  loopback: boolean;
}

export interface InterfaceInfo extends LinkUpdate {
  addresses: string[];
}

/** Removed addresses to remember; the oldest are forgotten first. */
const REMEMBERED_ADDRESSES = 64;

/**
 * Owner of each address. A removed address keeps its last owner until another interface takes it, so that a
 * closing subflow keeps the name of its path.
 */
export class InterfaceTable {
  readonly #links = new Map<number, LinkUpdate>();
  /** Address to interface index. */
  readonly #owners = new Map<string, number>();
  /** Address to interface name, of removed addresses. */
  readonly #former = new Map<string, string>();

  /** Applies a change and returns the events; a new link is an event only if it is up. */
  setLink(update: LinkUpdate): NetworkChange[] {
    const before = this.#links.get(update.index);
    this.#links.set(update.index, { ...update });
    if ((before?.up ?? false) === update.up) return [];
    const kind = update.up ? 'interface-up' : 'interface-down';
    const detail = `${update.name} is ${update.up ? 'up' : 'down'}`;
    return [{ kind, interfaceName: update.name, detail }];
  }

  removeLink(index: number): NetworkChange[] {
    const link = this.#links.get(index);
    if (!link) return [];
    const changes: NetworkChange[] = [];
    if (link.up) {
      const detail = `${link.name} is gone`;
      changes.push({ kind: 'interface-down', interfaceName: link.name, detail });
    }
    for (const [address, owner] of [...this.#owners]) {
      if (owner === index) changes.push(...this.removeAddress(index, address));
    }
    this.#links.delete(index);
    return changes;
  }

  addAddress(index: number, address: string): NetworkChange[] {
    if (this.#owners.get(address) === index) return [];
    this.#owners.set(address, index);
    this.#former.delete(address);
    return [this.#addressChange('address-added', index, address)];
  }

  removeAddress(index: number, address: string): NetworkChange[] {
    if (this.#owners.get(address) !== index) return [];
    this.#owners.delete(address);
    const name = this.#links.get(index)?.name;
    if (name !== undefined) this.#remember(address, name);
    return [this.#addressChange('address-removed', index, address)];
  }

  /** Name of the interface that owns, or last owned, the address. */
  ownerOf(address: string): string | undefined {
    const index = this.#owners.get(address);
    if (index === undefined) return this.#former.get(address);
    return this.#links.get(index)?.name;
  }

  nameOf(index: number): string | undefined {
    return this.#links.get(index)?.name;
  }

  list(): InterfaceInfo[] {
    return [...this.#links.values()].map((link) => ({
      ...link,
      addresses: [...this.#owners].filter(([, index]) => index === link.index).map(([a]) => a),
    }));
  }

  #remember(address: string, name: string): void {
    keepNewest(this.#former, address, name, REMEMBERED_ADDRESSES);
  }

  #addressChange(
    kind: 'address-added' | 'address-removed',
    index: number,
    address: string,
  ): NetworkChange {
    const name = this.#links.get(index)?.name;
    const detail = `${address} ${kind === 'address-added' ? 'added to' : 'removed from'} ${name ?? `interface ${index}`}`;
    return { kind, address, detail, ...(name === undefined ? {} : { interfaceName: name }) };
  }
}
