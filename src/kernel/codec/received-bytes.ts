import { keepNewest, type ConnectionId, type SubflowSample } from '../../core';

/** Connections remembered: four full batches. */
const MAX_CONNECTIONS = 1024;

/** Bytes of each connection on all subflows that it ever had, for kernels without a count of their own. */
export class ReceivedBytes {
  /** Last counter of every subflow seen. */
  readonly #connections = new Map<ConnectionId, Map<string, number>>();

  /** Takes the present subflows of a connection, and returns its bytes so far. */
  add(id: ConnectionId, subflows: readonly SubflowSample[]): number {
    const known = this.#connections.get(id) ?? new Map<string, number>();
    for (const { subflowId, bytesReceived } of subflows) known.set(subflowId, bytesReceived);
    keepNewest(this.#connections, id, known, MAX_CONNECTIONS);
    return [...known.values()].reduce((sum, bytes) => sum + bytes, 0);
  }
}
