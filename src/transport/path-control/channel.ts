import type { PathControlError } from '../../ports';
import type { MptcpEndpoint } from '../codec';

/**
 * The way to the kernel's path manager: with this process's own privilege or through the helper. Every
 * method rejects with a PathControlError.
 */
export interface EndpointChannel {
  readonly through: 'direct' | 'helper';
  list(): Promise<MptcpEndpoint[]>;
  /** Exactly this endpoint, its id included. */
  add(endpoint: MptcpEndpoint): Promise<void>;
  /** With id 0: the first subflows of connections from that address, which need no endpoint. */
  remove(endpoint: MptcpEndpoint): Promise<void>;
  /** Sets the endpoint's flags, of which only `backup` differs from what it has. */
  setFlags(endpoint: MptcpEndpoint): Promise<void>;
  /** Whoever puts things back at its end lets endpoints stand as they are now. Absent where nobody does. */
  keep?(): Promise<void>;
  /** Told once when nothing can be asked any more, although nobody closed it. */
  onGone?(listener: (error: PathControlError) => void): void;
  close(): void;
}
