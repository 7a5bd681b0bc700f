import type { SocketAddress, SubflowState } from '../../core';
import type { PathControlError } from '../../ports';
import type { MptcpEvent } from '../../kernel';

/** One subflow in its present state in the kernel. */
export interface LiveSubflow {
  local: SocketAddress;
  remote: SocketAddress;
  localId: number;
  remoteId: number;
  state: SubflowState;
  /** This end requested it as a backup. */
  backupLocal: boolean;
  /** The handshake is complete, so the connection may have further subflows. */
  fullyEstablished: boolean;
}

/** One MPTCP connection that did not fall back to TCP. */
export interface LiveConnection {
  token: number;
  /** The address it was opened to. */
  remote: SocketAddress;
  subflows: LiveSubflow[];
}

/** A further subflow of a connection. */
export interface NewSubflow {
  /** 1 to 255, one for each local address of a connection. */
  localId: number;
  localAddress: string;
  /** 0: bound to no interface. */
  interfaceIndex: number;
  remoteId: number;
  remote: SocketAddress;
  backup: boolean;
}

/**
 * The channel to the userspace path manager's commands, each for one connection. It uses this process's own
 * privilege or the helper. Every method rejects with a PathControlError.
 */
export interface ConnectionChannel {
  readonly through: 'direct' | 'helper';
  /** Returns those of these tokens whose connections exist. */
  connections(tokens: ReadonlySet<number>): Promise<LiveConnection[]>;
  create(token: number, subflow: NewSubflow): Promise<void>;
  destroy(token: number, subflow: LiveSubflow): Promise<void>;
  setBackup(token: number, subflow: LiveSubflow, backup: boolean): Promise<void>;
  /** Withdraws the address of the subflows with this id: the kernel sends REMOVE_ADDR to the other end. */
  removeAddress(token: number, localId: number): Promise<void>;
  /** Called with the path manager's events, if they are available. Includes other connections' events. */
  onEvent(listener: (event: MptcpEvent) => void): void;
  /** Called when events were dropped. The caller must read the state again. */
  onLost(listener: () => void): void;
  /** Called once when the channel has failed without a call of close. */
  onGone?(listener: (error: PathControlError) => void): void;
  close(): void;
}
