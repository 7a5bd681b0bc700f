import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';

export const hasNginx = spawnSync('nginx', ['-v']).status === 0;

/** Addresses of the two edges. Both listen on the same port, so one name can resolve to either. */
export const EDGES = ['127.0.0.1', '127.0.0.9'] as const;

export interface TwoEdges {
  port: number;
  close(): Promise<void>;
}

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, EDGES[1]);
    const end = (is: boolean): void => {
      socket.destroy();
      resolve(is);
    };
    socket.once('connect', () => end(true)).once('error', () => end(false));
  });

/** The same files behind two nginx servers. Their ETags differ, because nginx derives them from the time of change. */
export async function serveTwoEdges(files: Readonly<Record<string, Buffer>>): Promise<TwoEdges> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'two-edges-'));
  const port = await freePort();
  const servers = EDGES.map((address, index) => {
    const root = path.join(folder, address);
    mkdirSync(root, { mode: 0o755 });
    for (const [name, content] of Object.entries(files)) {
      writeFileSync(path.join(root, name), content);
      utimesSync(path.join(root, name), 1e9 + index, 1e9 + index);
    }
    // A loopback interface is too fast for the sharing to show, so the servers limit the rate.
    return `server { listen ${address}:${port}; root ${root}; limit_rate 1m; }`;
  });
  const config = [
    'daemon off; master_process off; error_log stderr crit;',
    `pid ${folder}/pid; events {}`,
    'http { access_log off; sendfile on;',
    ...['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${folder}/${name};`,
    ),
    ...servers,
    '}',
  ].join('\n');
  writeFileSync(path.join(folder, 'nginx.conf'), config);
  const nginx = spawn('nginx', ['-p', folder, '-c', path.join(folder, 'nginx.conf')], {
    stdio: 'ignore',
  });
  const ended = new Promise((resolve) => nginx.once('exit', resolve));
  while (!(await answers(port))) {
    if (nginx.exitCode !== null) throw new Error(`nginx ended with ${nginx.exitCode}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return {
    port,
    async close() {
      nginx.kill();
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
}
