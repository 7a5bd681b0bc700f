import type { Simulation } from '../../engine/simulation';
import type { MptcpConnection } from '../../mptcp/connection';
import type { Film } from './film';
import { Playout, type PlayoutOptions, type PlayoutReport } from './playout';

export interface ProgressiveEvents {
  /** Set when the last byte of the film has arrived. */
  onLoaded?: () => void;
  /** Set after the turn of the last frame. */
  onEnd?: () => void;
}

/** Sizes of a browser's request and of a response header. */
const REQUEST_BYTES = 300;
const HEADER_BYTES = 250;

/**
 * Loads a film as one file over HTTP and plays it during the download. It reads no more than its buffer
 * holds. The rest stays in the receive buffer, and a full receive buffer stops the sender.
 */
export class ProgressiveVideo {
  readonly #connection: MptcpConnection;
  readonly #playout: Playout;
  readonly #events: ProgressiveEvents;
  readonly #totalBytes: number;
  #arrivedBytes = 0;
  #takenBytes = 0;

  /** @param connection of its own, not connected yet */
  constructor(
    simulation: Simulation,
    connection: MptcpConnection,
    film: Film,
    options: PlayoutOptions,
    events: ProgressiveEvents = {},
  ) {
    this.#connection = connection;
    this.#events = events;
    this.#totalBytes = HEADER_BYTES + (film.endBytes.at(-1) ?? 0);
    this.#playout = new Playout(simulation, film, options, () => {
      this.#take();
      if (this.#playout.isOver) events.onEnd?.();
    });
  }

  /** Connects and requests the film. */
  start(): void {
    const { client, server } = this.#connection;
    server.onReceive = () => {
      server.onReceive = undefined;
      server.send(this.#totalBytes);
    };
    client.onReceive = (bytes) => {
      client.leaveUnread(bytes);
      this.#arrivedBytes += bytes;
      if (this.#arrivedBytes === this.#totalBytes) this.#events.onLoaded?.();
      this.#take();
    };
    this.#connection.connect();
    client.send(REQUEST_BYTES);
  }

  report(): PlayoutReport {
    return this.#playout.report();
  }

  #take(): void {
    const wanted = HEADER_BYTES + this.#playout.wantedBytes;
    const bytes = Math.min(this.#arrivedBytes, wanted) - this.#takenBytes;
    if (bytes <= 0) return;
    this.#takenBytes += bytes;
    this.#connection.client.read(bytes);
    this.#playout.fill(this.#takenBytes - HEADER_BYTES);
  }
}
