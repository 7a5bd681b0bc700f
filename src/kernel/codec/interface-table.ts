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
  /** Those for new connections first, then the deprecated ones of IPv6 (RFC 4862, section 5.5.4). */
  addresses: string[];
}

/** Removed addresses to remember; the oldest are forgotten first. */
const REMEMBERED_ADDRESSES = 64;

/**
 * Owners of each address: two tethered phones may give the same one to two interfaces. A removed address keeps its last
 * owner until another interface takes it, so that a closing subflow keeps the name of its path.
 */
export class InterfaceTable {
  readonly #links = new Map<number, LinkUpdate>();
  /** Address to interface indexes, the newest owner last. */
  readonly #owners = new Map<string, Set<number>>();
  readonly #deprecated = new Set<string>();
  /** Address to interface name, of removed addresses. */
  readonly #former = new Map<string, string>();

  /** Applies a change and returns the events; a new link is an event only if it is up. */
  setLink(update: LinkUpdate): NetworkChange[] {
    const before = this.#links.get(update.index);
    this.#links.set(update.index, { ...update });
    const isRenamed = before !== undefined && before.name !== update.name;
    const changes: NetworkChange[] = [];
    if (before?.up === true && (isRenamed || !update.up)) {
      const detail = `${before.name} is ${isRenamed ? `${update.name} now` : 'down'}`;
      changes.push({ kind: 'interface-down', interfaceName: before.name, detail });
    }
    if (update.up && (isRenamed || before?.up !== true)) {
      const detail = `${update.name} is up`;
      changes.push({ kind: 'interface-up', interfaceName: update.name, detail });
    }
    return changes;
  }

  removeLink(index: number): NetworkChange[] {
    const link = this.#links.get(index);
    if (!link) return [];
    const changes: NetworkChange[] = [];
    if (link.up) {
      const detail = `${link.name} is gone`;
      changes.push({ kind: 'interface-down', interfaceName: link.name, detail });
    }
    for (const [address, owners] of [...this.#owners]) {
      if (owners.has(index)) changes.push(...this.removeAddress(index, address));
    }
    this.#links.delete(index);
    return changes;
  }

  addAddress(index: number, address: string, isDeprecated = false): NetworkChange[] {
    if (isDeprecated) this.#deprecated.add(address);
    else this.#deprecated.delete(address);
    const owners = this.#owners.get(address) ?? new Set();
    if (owners.has(index)) return [];
    this.#owners.set(address, owners.add(index));
    this.#former.delete(address);
    return [this.#addressChange('address-added', index, address)];
  }

  removeAddress(index: number, address: string): NetworkChange[] {
    const owners = this.#owners.get(address);
    if (owners?.delete(index) !== true) return [];
    const name = this.#links.get(index)?.name;
    if (owners.size > 0) {
      // The address stays on this machine, and with it its subflows.
      const heir = this.ownerOf(address);
      const detail = `${address} is on ${heir ?? 'another interface'} only`;
      return [
        { kind: 'route-changed', ...(name === undefined ? {} : { interfaceName: name }), detail },
      ];
    }
    this.#owners.delete(address);
    this.#deprecated.delete(address);
    if (name !== undefined) this.#remember(address, name);
    return [this.#addressChange('address-removed', index, address)];
  }

  /** Name of the interface that owns, or last owned, the address. Of several owners the newest that is up. */
  ownerOf(address: string): string | undefined {
    const owners = [...(this.#owners.get(address) ?? [])];
    const up = owners.filter((owner) => this.#links.get(owner)?.up === true);
    const index = up.at(-1) ?? owners.at(-1);
    if (index === undefined) return this.#former.get(address);
    return this.#links.get(index)?.name;
  }

  nameOf(index: number): string | undefined {
    return this.#links.get(index)?.name;
  }

  list(): InterfaceInfo[] {
    return [...this.#links.values()].map((link) => {
      const held = [...this.#owners].filter(([, owners]) => owners.has(link.index)).map(([a]) => a);
      const last = held.filter((address) => this.#deprecated.has(address));
      const first = held.filter((address) => !this.#deprecated.has(address));
      return { ...link, addresses: [...first, ...last] };
    });
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
