import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Socket } from 'node:net';
import { AnswerFaults, allowEveryOrigin, answerRequest } from './faulty-answers';
import type { LiveOrigin } from './live/live-origin';
import { listenInNetns, type NetnsListener } from './netns-listener';
import type { ThrowawayTls } from './throwaway-tls';

export interface FaultyServerOptions {
  netns: string | undefined;
  root: string;
  address: string;
  port: number;
  /** LD_PRELOAD of mptcpize, or nothing. */
  env: NodeJS.ProcessEnv;
  tls: ThrowawayTls | undefined;
  /** Broadcasts this film in place of the folder, without faults. */
  origin: LiveOrigin | undefined;
  /** Called while another process also holds the listening socket. */
  onListen: (pid: number) => Promise<void>;
}

export interface FaultyServer {
  readonly faults: AnswerFaults;
  pid: () => number;
  /** Breaks its connections and refuses new ones. */
  down: () => Promise<void>;
  up: () => Promise<void>;
}

/** Serves a folder over HTTP/1.1 in this process, with the faults that a timeline sets, or a live film. */
export async function startFaultyServer(options: FaultyServerOptions): Promise<FaultyServer> {
  const { netns, root, address, port, env, tls, origin, onListen } = options;
  const faults = new AnswerFaults();
  const answerFrom = (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (origin === undefined) return answerRequest(request, response, root, faults);
    allowEveryOrigin(response);
    return origin.answer(request, response);
  };
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    answerFrom(request, response).catch(() => response.destroy());
  };
  const http =
    tls === undefined
      ? createServer(answer)
      : createTlsServer(
          { key: readFileSync(tls.keyFile), cert: readFileSync(tls.certificateFile) },
          answer,
        );
  // Faults control idle connections; the default timeout of 5 s would end them.
  http.keepAliveTimeout = 0;
  http.on('timeout', (socket: Socket) => socket.destroy());
  const sockets = new Set<Socket>();
  let listener: NetnsListener | undefined;
  const up = async (): Promise<void> => {
    if (listener !== undefined) return;
    listener = await listenInNetns(netns, { address, port }, env);
    listener.server.on('connection', (socket) => {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
      socket.on('error', () => undefined);
      http.emit('connection', socket);
    });
    await onListen(listener.pid);
    await listener.release();
  };
  await up();
  return {
    faults,
    pid: () => (listener === undefined ? 0 : process.pid),
    up,
    down: async () => {
      const closed = new Promise<void>((resolve) => {
        if (listener === undefined) resolve();
        else listener.server.close(() => resolve());
      });
      listener = undefined;
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
