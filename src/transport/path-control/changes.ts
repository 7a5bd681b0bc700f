import type { MptcpEndpoint } from '../codec';

/** One address whose endpoint this player changes; undefined stands for "no endpoint". */
export interface EndpointChange {
  address: string;
  found: MptcpEndpoint | undefined;
  /** What this player set last, or was about to set. */
  now: MptcpEndpoint | undefined;
}

export const sameEndpoint = (
  a: MptcpEndpoint | undefined,
  b: MptcpEndpoint | undefined,
): boolean =>
  a === undefined || b === undefined
    ? a === b
    : a.endpointId === b.endpointId &&
      a.address === b.address &&
      a.port === b.port &&
      a.flags === b.flags &&
      a.interfaceIndex === b.interfaceIndex;

/** What differs from how it was found, by address. Pure. */
export class Changes {
  readonly #byAddress = new Map<string, EndpointChange>();

  /** To be called before the change, with what the kernel has and what it shall have. */
  note(address: string, current: MptcpEndpoint | undefined, next: MptcpEndpoint | undefined): void {
    const known = this.#byAddress.get(address);
    // Where somebody else changed it since, theirs is what was found.
    const found = known && sameEndpoint(known.now, current) ? known.found : current;
    this.#byAddress.set(address, { address, found, now: next });
  }

  /** To be called after it: what stands as found again is no change. */
  settle(address: string): void {
    const known = this.#byAddress.get(address);
    if (known && sameEndpoint(known.found, known.now)) this.#byAddress.delete(address);
  }

  get(address: string): EndpointChange | undefined {
    return this.#byAddress.get(address);
  }

  forget(address: string): void {
    this.#byAddress.delete(address);
  }

  list(): EndpointChange[] {
    return [...this.#byAddress.values()];
  }
}

/**
 * What undoes a change, given what the kernel has now: undefined where nothing is to be done, because it
 * stands as found, or because somebody else changed it since and is respected.
 */
export function undoOf(
  change: EndpointChange,
  current: MptcpEndpoint | undefined,
): { target: MptcpEndpoint | undefined } | undefined {
  const ours = sameEndpoint(current, change.now) && !sameEndpoint(current, change.found);
  return ours ? { target: change.found } : undefined;
}
