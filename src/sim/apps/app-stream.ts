import type { Simulation } from '../engine/simulation';
import { createTcpStream, type TcpStreamOptions } from '../tcp/stream';

/** One end of a connection as the application sees it: it writes bytes and reads byte counts. */
export interface AppSide {
  send(bytes: number): void;
  /** Bytes that arrived here in order. */
  readonly receivedBytes: number;
  /** Called with the number of bytes that arrived in order. */
  onReceive: ((bytes: number) => void) | undefined;
}

/** A connection that an application may use over any transport; `MptcpConnection` implements it. */
export interface AppStream {
  readonly client: AppSide;
  readonly server: AppSide;
  connect(): void;
  /** Closes both ends at once; the simulator has no FIN. */
  close(): void;
}

/**
 * Creates a connection that is not connected yet.
 * @param flow name for flow queues
 */
export type OpenStream = (flow: number, onEstablished: () => void) => AppStream;

/** Connections of plain TCP over one route. */
export function tcpStreams(
  simulation: Simulation,
  options: Omit<TcpStreamOptions, 'flow' | 'onEstablished'>,
): OpenStream {
  return (flow, onEstablished) => {
    const { client, server, connect } = createTcpStream(simulation, {
      ...options,
      flow,
      onEstablished,
    });
    const close = (): void => {
      client.endpoint.close();
      server.endpoint.close();
    };
    return { client, server, connect, close };
  };
}
