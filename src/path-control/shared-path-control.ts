import { type SampleBatch, UnheardFlags, type UnheardFlag } from '../core';
import type { PathControl } from '../ports';
import type { WatchedConnections } from './connections/connection-path-control';
import { openPathControl, type OpenPathControlOptions } from './open-path-control';

/** One process's path control, for the pages that it serves one after another. */
export interface SharedPathControl {
  readonly control: PathControl;
  /** Takes the control for one page. Returns false while another page has it. */
  claim(owner: object): boolean;
  /** Releases it: the changes of that page are restored. Never rejects. */
  release(owner: object): Promise<void>;
  /** Sets the local addresses that a page's stream uses now. */
  observe(owner: object, batch: SampleBatch): void;
  /** Restores and releases everything; never rejects. */
  close(): Promise<void>;
}

interface Observed {
  /** Active if one of an address's subflows is active. */
  addresses: ReadonlyMap<string, 'active' | 'backup'>;
  tokens: ReadonlySet<number>;
  /** Changes when a subflow is added, removed or changes its state. */
  shape: string;
}

/** The connections of the pages' streams, and the local addresses with living subflows, in the last sample. */
export class UsedAddresses implements WatchedConnections {
  readonly #byOwner = new Map<object, Observed>();
  readonly #unheard = new Map<object, UnheardFlags>();
  readonly #listeners: ((changed: boolean) => void)[] = [];
  readonly #unheardListeners: ((flags: readonly UnheardFlag[]) => void)[] = [];

  observe(owner: object, batch: SampleBatch): void {
    const connections = batch.connections.filter(({ kind }) => kind === 'mptcp');
    const subflows = connections.flatMap((item) => item.subflows);
    const addresses = new Map<string, 'active' | 'backup'>();
    for (const { local, state } of subflows) {
      if (state === 'active' || (state === 'backup' && !addresses.has(local.address))) {
        addresses.set(local.address, state);
      }
    }
    const shape = [
      ...connections.map(({ connectionId }) => connectionId),
      ...subflows.map(({ subflowId, state }) => `${subflowId} ${state}`),
    ].join('\n');
    const changed = this.#byOwner.get(owner)?.shape !== shape;
    this.#byOwner.set(owner, {
      addresses,
      tokens: new Set(connections.flatMap(({ connectionId }) => tokenOf(connectionId) ?? [])),
      shape,
    });
    for (const listener of this.#listeners) listener(changed);
    const unheard = this.#unheard.get(owner) ?? new UnheardFlags();
    this.#unheard.set(owner, unheard);
    const flags = unheard.observe(batch);
    if (flags.length > 0) for (const listener of this.#unheardListeners) listener(flags);
  }

  forget(owner: object): void {
    this.#byOwner.delete(owner);
    this.#unheard.delete(owner);
  }

  has(address: string): boolean {
    return this.stateOf(address) !== undefined;
  }

  /** Undefined: no living subflow comes from there. */
  stateOf(address: string): 'active' | 'backup' | undefined {
    const states = [...this.#byOwner.values()].flatMap((one) => one.addresses.get(address) ?? []);
    return states.includes('active') ? 'active' : states[0];
  }

  tokens(): ReadonlySet<number> {
    return new Set([...this.#byOwner.values()].flatMap(({ tokens }) => [...tokens]));
  }

  onObserved(listener: (changed: boolean) => void): void {
    this.#listeners.push(listener);
  }

  onUnheard(listener: (flags: readonly UnheardFlag[]) => void): void {
    this.#unheardListeners.push(listener);
  }
}

/** The kernel's token in an MPTCP connection's name. */
function tokenOf(connectionId: string): number | undefined {
  return /^m:[\da-f]{1,8}$/.test(connectionId)
    ? Number.parseInt(connectionId.slice(2), 16)
    : undefined;
}

/** Shares an existing control. */
export function sharePathControl(
  control: PathControl,
  used: UsedAddresses,
  onError: (error: unknown) => void = () => undefined,
): SharedPathControl {
  let holder: object | undefined;
  return {
    control,
    claim(owner) {
      holder ??= owner;
      return holder === owner;
    },
    async release(owner) {
      if (holder === owner) {
        if (control.capability().available) await control.restore().catch(onError);
        holder = undefined;
      }
      used.forget(owner);
    },
    observe: (owner, batch) => used.observe(owner, batch),
    close: () => control.close(),
  };
}

/**
 * Opens the control of this network namespace's paths, for an agent or a feed session. From here on a lost
 * interface ends its subflows at once, for every request. The kernel's path manager does this by deleting the
 * endpoint, the userspace path manager by ending the pages' subflows. Never rejects.
 */
export async function openSharedPathControl(
  options: Omit<OpenPathControlOptions, 'isUsed' | 'shownState' | 'watched'> = {},
): Promise<SharedPathControl> {
  const used = new UsedAddresses();
  const isUsed = (address: string): boolean => used.has(address);
  const shownState: OpenPathControlOptions['shownState'] = (address) => used.stateOf(address);
  const control = await openPathControl({ ...options, isUsed, shownState, watched: used });
  return sharePathControl(control, used, options.onError);
}
