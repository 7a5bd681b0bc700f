import type { EndpointOrigin } from '../session-log';
import type { PathControlCapability, PathId, WantedPathState } from '../core';

/** One local address from which the kernel may open subflows, or that this player has removed. */
export interface EndpointInfo {
  pathId: PathId;
  interfaceName?: string | undefined;
  address: string;
  /** The kernel's id, 1 to 255; undefined while it is closed and has none. */
  endpointId?: number | undefined;
  state: WantedPathState;
  origin: EndpointOrigin;
  /** True while it differs from its original state. */
  changed: boolean;
}

/**
 * `DENIED`: the privilege is missing. `NO_SUCH_PATH`: no interface or address of that name. `FOREIGN`:
 * another program decided otherwise and is respected. `LOST`: the helper has ended. `FAILED`: the kernel
 * refused. `CLOSED`: this control was closed.
 */
export type PathControlErrorCode =
  'DENIED' | 'NO_SUCH_PATH' | 'FOREIGN' | 'LOST' | 'FAILED' | 'CLOSED';

/** A refusal; its message contains the fix. */
export class PathControlError extends Error {
  override readonly name = 'PathControlError';
  readonly code: PathControlErrorCode;

  constructor(code: PathControlErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

export interface PathControlChange {
  /** One line for the log. */
  detail: string;
  /** The current endpoints. */
  endpoints: EndpointInfo[];
}

/**
 * Port: decides which paths carry the stream. Implementations:
 * - `src/path-control`: Linux's path manager, by endpoint or by connection, directly or through the privileged helper;
 * - `createFetchPathControl` (`src/transport/carriage`): the networks of byte ranges;
 * - `switchPathControl` (`src/transport/carriage`): Linux's while MPTCP carries the stream, else the fetcher's;
 * - the in-memory fake.
 *
 * Contract (see contract/path-control-contract.ts). Changes happen one after the other, in request order.
 * `setState` resolves once the kernel has accepted the change; requesting the present state changes nothing.
 * Changes by other programs are respected. `restore` restores the original state. `close` does the same and is
 * idempotent; afterwards every call is refused with `CLOSED`.
 *
 * In-kernel path manager: a change affects every connection of the network namespace that uses the path. Userspace
 * path manager (scope `connections`): it affects the player's own connections, present and future.
 */
export interface PathControl {
  capability(): PathControlCapability;
  /**
   * The kernel's current endpoints.
   * @throws PathControlError
   */
  list(): Promise<EndpointInfo[]>;
  /**
   * @param pathId interface name or local address, as in `SubflowSample`; `>remote` is ignored
   * @throws PathControlError; then nothing has changed
   */
  setState(pathId: PathId, state: WantedPathState): Promise<void>;
  /**
   * Called after every change, requested or caused by a lost or returned interface. Returns the function that
   * unsubscribes.
   */
  onChange(listener: (change: PathControlChange) => void): () => void;
  /**
   * Restores the original state, including changes of a crashed player.
   * @throws PathControlError
   */
  restore(): Promise<void>;
  /** Restores and releases everything; never rejects. */
  close(): Promise<void>;
}
