import type { SampleBatch } from '../../core';
import type { PathControl } from '../../ports';
import { openPathControl, type OpenPathControlOptions } from './open-path-control';

/** One process's path control, for the pages it serves one after the other. */
export interface SharedPathControl {
  readonly control: PathControl;
  /** Takes the control for one page; false while another page has it. */
  claim(owner: object): boolean;
  /** Gives it back: what that page changed is put back as found. Never rejects. */
  release(owner: object): Promise<void>;
  /** Tells which local addresses a page's stream uses now. */
  observe(owner: object, batch: SampleBatch): void;
  /** Restores and releases everything; never rejects. */
  close(): Promise<void>;
}

/** Local addresses with living subflows, by page. */
export class UsedAddresses {
  readonly #byOwner = new Map<object, ReadonlySet<string>>();

  observe(owner: object, batch: SampleBatch): void {
    const living = batch.connections
      .filter(({ kind }) => kind === 'mptcp')
      .flatMap(({ subflows }) => subflows)
      .filter(({ state }) => state === 'active' || state === 'backup');
    this.#byOwner.set(owner, new Set(living.map(({ local }) => local.address)));
  }

  forget(owner: object): void {
    this.#byOwner.delete(owner);
  }

  has(address: string): boolean {
    return [...this.#byOwner.values()].some((addresses) => addresses.has(address));
  }
}

/** Shares a control that exists already. */
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
 * Opens the control of this network namespace's paths, to be given to an agent or a feed session. From here
 * on the endpoint of a lost interface is deleted at once, whoever asks for what; never rejects.
 */
export async function openSharedPathControl(
  options: Omit<OpenPathControlOptions, 'isUsed'> = {},
): Promise<SharedPathControl> {
  const used = new UsedAddresses();
  const isUsed = (address: string): boolean => used.has(address);
  const control = await openPathControl({ ...options, isUsed });
  return sharePathControl(control, used, options.onError);
}
