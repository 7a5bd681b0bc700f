import type { MptcpEndpoint } from '../../kernel';

/** One address whose endpoint this player changes. Undefined stands for "no endpoint". */
export interface EndpointChange {
  address: string;
  found: MptcpEndpoint | undefined;
  /** The endpoint that this player set last, or was about to set. */
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

/** Differences from the original state, by address. Pure. */
export class Changes {
  readonly #byAddress = new Map<string, EndpointChange>();

  /** Call this before the change, with the kernel's present endpoint and the new one. */
  note(address: string, current: MptcpEndpoint | undefined, next: MptcpEndpoint | undefined): void {
    const known = this.#byAddress.get(address);
    // If another process changed it since, its value is the original one.
    const found = known && sameEndpoint(known.now, current) ? known.found : current;
    this.#byAddress.set(address, { address, found, now: next });
  }

  /** Call this after the change. An endpoint in its original state is no change. */
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
 * Returns the inverse of a change, given the kernel's present endpoint. Returns undefined if the endpoint is
 * in its original state, or if another process changed it since, which is respected.
 */
export function undoOf(
  change: EndpointChange,
  current: MptcpEndpoint | undefined,
): { target: MptcpEndpoint | undefined } | undefined {
  const ours = sameEndpoint(current, change.now) && !sameEndpoint(current, change.found);
  return ours ? { target: change.found } : undefined;
}
