import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';

/** The server's behaviour instead of a correct answer. */
export type Fault = { status: number } | { body: string } | { keepShare: number } | 'hang';

export interface FaultyServer {
  origin: string;
  /** Applies the fault to the first `times` requests whose path matches. */
  break(pattern: RegExp, fault: Fault, times?: number): void;
  /** Removes all faults; hanging requests are dropped. */
  mend(): void;
  close(): Promise<void>;
}

/** Serves a folder to any origin, with injected faults. */
export async function serveFaulty(folder: string): Promise<FaultyServer> {
  let faults: { pattern: RegExp; fault: Fault; left: number }[] = [];
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    response.setHeader('Access-Control-Allow-Origin', '*');
    response.setHeader('Cache-Control', 'no-store');
    const broken = faults.find(({ pattern, left }) => left > 0 && pattern.test(pathname));
    if (broken) {
      broken.left -= 1;
      const { fault } = broken;
      if (fault === 'hang') return;
      if ('status' in fault) return void response.writeHead(fault.status).end();
      if ('body' in fault) return void response.end(fault.body);
    }
    let bytes: Buffer;
    try {
      bytes = readFileSync(path.join(folder, path.basename(pathname)));
    } catch {
      return void response.writeHead(404).end();
    }
    const kept = broken && typeof broken.fault === 'object' && 'keepShare' in broken.fault;
    const share = kept ? (broken.fault as { keepShare: number }).keepShare : 1;
    response.end(bytes.subarray(0, Math.floor(bytes.length * share)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    break: (pattern, fault, times = Infinity) => void faults.push({ pattern, fault, left: times }),
    mend: () => {
      faults = [];
      server.closeAllConnections();
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
