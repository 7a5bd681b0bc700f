import type { PathId } from '../core';
import type { WantedPathState } from '../qoe';

/** What a policy can ask of a path. `closed`: no subflow at all. */
export type PathState = WantedPathState;

/** Who made the endpoint: this player, or somebody else (the user, NetworkManager). */
export type EndpointOrigin = 'own' | 'foreign';

/** One local address the kernel may open subflows from, or that this player has taken out. */
export interface EndpointInfo {
  pathId: PathId;
  interfaceName?: string | undefined;
  address: string;
  /** The kernel's id, 1 to 255; undefined while it is closed and has none. */
  endpointId?: number | undefined;
  state: PathState;
  origin: EndpointOrigin;
  /** True while it differs from how it was found. */
  changed: boolean;
}

/** Whether paths can be controlled here. */
export type PathControlCapability =
  | {
      available: true;
      through: 'direct' | 'helper' | 'fake';
      /** `connections`: only the player's own are touched; else endpoints, which concern everybody's. */
      scope?: 'connections' | undefined;
    }
  | {
      available: false;
      /** One line for the viewer: what is missing and what the player could do with it. */
      reason: string;
    };

/**
 * `DENIED`: the privilege is missing. `NO_SUCH_PATH`: no interface or address of that name.
 * `FOREIGN`: somebody else decided otherwise and is respected.
 * `LOST`: the helper is gone. `FAILED`: the kernel refused. `CLOSED`: this control was closed.
 */
export type PathControlErrorCode =
  'DENIED' | 'NO_SUCH_PATH' | 'FOREIGN' | 'LOST' | 'FAILED' | 'CLOSED';

/** A refusal; its message says what to do. */
export class PathControlError extends Error {
  override readonly name = 'PathControlError';
  readonly code: PathControlErrorCode;

  constructor(code: PathControlErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

export interface PathControlChange {
  /** What happened, one line for the log. */
  detail: string;
  /** How the endpoints stand now. */
  endpoints: EndpointInfo[];
}

/**
 * Port: decides which paths the kernel's path manager uses. Implementations: Linux (directly or through the
 * privileged helper) and the in-memory fake.
 *
 * Contract (see contract/path-control-contract.ts): changes are made one after the other, in the order they
 * were asked for; `setState` resolves once the kernel has taken the change, and asking for the state a path
 * has changes nothing; what somebody else changes meanwhile is respected; `restore` puts everything as
 * found; `close` does the same, is idempotent, and afterwards everything refuses with `CLOSED`.
 *
 * In-kernel path manager: a change concerns every connection of the network namespace that uses the path. Userspace
 * path manager (scope `connections`): it concerns the player's own, and those to come.
 */
export interface PathControl {
  capability(): PathControlCapability;
  /** Endpoints as the kernel has them now. @throws PathControlError */
  list(): Promise<EndpointInfo[]>;
  /**
   * @param pathId interface name or local address, as in `SubflowSample`; `>remote` is ignored
   * @throws PathControlError; nothing was changed then
   */
  setState(pathId: PathId, state: PathState): Promise<void>;
  /** Told after every change, asked for or caused by a lost or returned interface. Returns the unsubscriber. */
  onChange(listener: (change: PathControlChange) => void): () => void;
  /** Puts back everything as found, also what a crashed player left behind. @throws PathControlError */
  restore(): Promise<void>;
  /** Restores and releases everything; never rejects. */
  close(): Promise<void>;
}
