import type { SocketAddress, SubflowState } from '../../core';
import type { PathControlError } from '../../ports';
import type { MptcpEvent } from '../codec';

/** One subflow as the kernel has it now. */
export interface LiveSubflow {
  local: SocketAddress;
  remote: SocketAddress;
  localId: number;
  remoteId: number;
  state: SubflowState;
  /** This end asked for it to be a backup. */
  backupLocal: boolean;
  /** The handshake is done, so that the connection may have further subflows. */
  fullyEstablished: boolean;
}

/** One MPTCP connection that did not fall back to TCP. */
export interface LiveConnection {
  token: number;
  /** Where it was opened to. */
  remote: SocketAddress;
  subflows: LiveSubflow[];
}

/** A further subflow of a connection. */
export interface NewSubflow {
  /** 1 to 255, one for each local address of a connection. */
  localId: number;
  localAddress: string;
  /** 0: of no interface in particular. */
  interfaceIndex: number;
  remoteId: number;
  remote: SocketAddress;
  backup: boolean;
}

/**
 * The way to the userspace path manager's commands, of which each concerns one connection: with this process's own
 * privilege or through the helper. Every method rejects with a PathControlError.
 */
export interface ConnectionChannel {
  readonly through: 'direct' | 'helper';
  /** Those of these tokens that live. */
  connections(tokens: ReadonlySet<number>): Promise<LiveConnection[]>;
  create(token: number, subflow: NewSubflow): Promise<void>;
  destroy(token: number, subflow: LiveSubflow): Promise<void>;
  setBackup(token: number, subflow: LiveSubflow, backup: boolean): Promise<void>;
  /** Tells the other end that the address of its subflows with this id is gone. */
  removeAddress(token: number, localId: number): Promise<void>;
  /** Told of the path manager's events, as far as they can be had; of others' connections too. */
  onEvent(listener: (event: MptcpEvent) => void): void;
  /** Told once when nothing can be asked any more, although nobody closed it. */
  onGone?(listener: (error: PathControlError) => void): void;
  close(): void;
}
