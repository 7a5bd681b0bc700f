import type { MptcpEvent } from '../../kernel';
import type { LiveConnection } from './connection-channel';
import type { RemoteAddress } from './subflow-plan';

/**
 * Connections remembered. The machine may have many that are not the player's: unwatched ones are forgotten
 * first.
 */
const MAX_CONNECTIONS = 256;
/** The limit of the kernel for accepted ADD_ADDRs of a connection. */
const MAX_ADDRESSES = 8;

interface Known {
  remotes: Map<number, RemoteAddress>;
  denyInitial: boolean;
}

/** The addresses that the other ends of connections announced. Pure. */
export class AnnouncedAddresses {
  readonly #known = new Map<number, Known>();

  onEvent(event: MptcpEvent): void {
    const { kind, token, remoteId, remote } = event;
    if (token === undefined) return;
    if (kind === 'closed') this.#known.delete(token);
    if (kind === 'removed' && remoteId !== undefined) {
      this.#known.get(token)?.remotes.delete(remoteId);
    }
    if (kind === 'announced' && remoteId !== undefined && remote) {
      const { remotes } = this.#of(token);
      remotes.delete(remoteId);
      if (remotes.size < MAX_ADDRESSES) remotes.set(remoteId, { id: remoteId, end: remote });
    }
    if (event.denyJoinInitial !== undefined) {
      this.#of(token).denyInitial = event.denyJoinInitial;
    }
  }

  /** Returns the remote addresses for a connection's subflows. The address it was opened to is first. */
  remotesOf({ token, remote, subflows }: LiveConnection): RemoteAddress[] {
    const known = this.#known.get(token);
    if (known) {
      this.#known.delete(token);
      this.#known.set(token, known);
    }
    const byEnd = new Map<string, RemoteAddress>();
    const add = (id: number, end: RemoteAddress['end']): void => {
      const key = `${end.address} ${end.port}`;
      if (!byEnd.has(key)) byEnd.set(key, { id, end });
    };
    if (known?.denyInitial !== true) add(0, remote);
    for (const { id, end } of known?.remotes.values() ?? []) {
      add(id, end.port === 0 ? { ...end, port: remote.port } : end);
    }
    // The existing subflows reveal announcements from before the subscription.
    for (const { remoteId, remote: end } of subflows) if (remoteId !== 0) add(remoteId, end);
    return [...byEnd.values()];
  }

  #of(token: number): Known {
    let known = this.#known.get(token);
    if (!known) {
      known = { remotes: new Map(), denyInitial: false };
      this.#known.set(token, known);
      const [oldest] = this.#known.keys();
      if (this.#known.size > MAX_CONNECTIONS && oldest !== undefined) this.#known.delete(oldest);
    }
    return known;
  }
}
