import type { Packet, Receiver } from '../packet';
import type { TcpSegment } from '../tcp/segment';

/**
 * Counts path switches as they go into the network: two data packets of a connection in a row on different paths
 * (paper `sticky-path-switching`, section VI). Put a {@link tap} before the first link of each path.
 */
export class PathSwitches {
  /** So far; packets sent again count as any other. */
  count = 0;
  /** Data packets so far. */
  packets = 0;
  #last: number | undefined;

  /** What comes first on a path's route. */
  tap(pathIndex: number): Receiver {
    return {
      receive: (packet: Packet) => {
        if ((packet.payload as TcpSegment).chunk !== undefined) this.#onData(pathIndex);
        packet.forward();
      },
    };
  }

  #onData(pathIndex: number): void {
    this.packets += 1;
    if (this.#last !== undefined && this.#last !== pathIndex) this.count += 1;
    this.#last = pathIndex;
  }
}
