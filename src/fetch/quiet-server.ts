import { createServer, type RequestListener, type Server } from 'node:http';

/**
 * An HTTP server that answers nothing by itself. Node would answer malformed requests, those without `Host`, and those
 * with `Expect` before the listener knows whose connection it is.
 */
export function createQuietServer(listener: RequestListener): Server {
  const server = createServer({ requireHostHeader: false });
  server.on('clientError', (_, socket) => socket.destroy());
  for (const event of ['request', 'checkContinue', 'checkExpectation'] as const) {
    server.on(event, listener);
  }
  return server;
}
