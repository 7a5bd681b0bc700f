import type { Simulation } from '../engine/simulation';
import { createTcpStream, type TcpStreamOptions } from '../tcp/stream';

/** One end of a connection as an application sees it: it hands over and gets counts of bytes. */
export interface AppSide {
  send(bytes: number): void;
  /** Bytes that arrived here in order. */
  readonly receivedBytes: number;
  /** Told the bytes that arrived in order. */
  onReceive: ((bytes: number) => void) | undefined;
}

/** A connection an application may use, whatever carries it; an `MptcpConnection` is one. */
export interface AppStream {
  readonly client: AppSide;
  readonly server: AppSide;
  connect(): void;
  /** Ends both ends at once; there is no FIN. */
  close(): void;
}

/** Makes a connection that is not connected yet. @param flow names it for flow queues */
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
