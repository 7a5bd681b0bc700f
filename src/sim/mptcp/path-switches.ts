import type { Packet, Receiver } from '../packet';
import type { TcpSegment } from '../tcp/segment';

/**
 * Counts path switches where packets enter the network: two consecutive data packets of a connection on
 * different paths (paper `sticky-path-switching`, section VI). Put a {@link tap} before the first link of
 * each path.
 */
export class PathSwitches {
  /** Switches so far; retransmitted packets count like others. */
  count = 0;
  /** Data packets so far. */
  packets = 0;
  #last: number | undefined;

  /** The receiver to put first on a path's route. */
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
