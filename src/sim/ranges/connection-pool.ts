import type { RangeConnection } from './range-connection';

/** The number that the player opens for HTTP/1.1. */
export const CONNECTIONS_PER_NETWORK = 4;

/** The connections of one network. A cancelled request closes its connection: HTTP/1.1 has no other way to end an answer. */
export class ConnectionPool {
  readonly #open: () => RangeConnection;
  #connections: RangeConnection[] = [];

  constructor(open: () => RangeConnection) {
    this.#open = open;
  }

  get connections(): readonly RangeConnection[] {
    return this.#connections;
  }

  /** An idle connection, at best one without a handshake before it; a new one if all are busy. */
  take(): RangeConnection {
    const idle = this.#connections.filter(({ isIdle }) => isIdle);
    return idle.find(({ isWarm }) => isWarm) ?? idle[0] ?? this.#add();
  }

  /** Opens a connection in advance, if none is idle. */
  keepSpare(): void {
    const isHere = this.#connections.some(({ isIdle }) => isIdle);
    if (!isHere && this.#connections.length < CONNECTIONS_PER_NETWORK) this.#add();
  }

  /** Closes a connection, if it is one of the pool. */
  close(connection: RangeConnection): void {
    if (!this.#connections.includes(connection)) return;
    connection.close();
    this.#connections = this.#connections.filter((one) => one !== connection);
  }

  closeAll(): void {
    for (const connection of this.#connections) connection.close();
    this.#connections = [];
  }

  #add(): RangeConnection {
    const connection = this.#open();
    this.#connections.push(connection);
    return connection;
  }
}
