import type { PathControlError } from '../../ports';
import type { MptcpEndpoint } from '../../kernel';

/**
 * The channel to the kernel's path manager, with this process's own privilege or through the helper. Every
 * method rejects with a PathControlError.
 */
export interface EndpointChannel {
  readonly through: 'direct' | 'helper';
  list(): Promise<MptcpEndpoint[]>;
  /** Adds exactly this endpoint, including its id. */
  add(endpoint: MptcpEndpoint): Promise<void>;
  /** With id 0: the first subflows of connections from that address, which need no endpoint. */
  remove(endpoint: MptcpEndpoint): Promise<void>;
  /** Sets the endpoint's flags. Only `backup` differs from the present ones. */
  setFlags(endpoint: MptcpEndpoint): Promise<void>;
  /** Called once when the channel has failed without a call of close. */
  onGone?(listener: (error: PathControlError) => void): void;
  close(): void;
}
