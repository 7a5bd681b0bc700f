import { mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { content, TwoNetworks } from '../../fetch/testing/two-networks';
import { startMediaServer, type MediaServer } from '../../lab';

// Each network reaches an edge of its own, as resolvers of a CDN answer by network.
const EDGES = { a: '127.0.0.10', b: '127.0.0.11' };
const PORT = 18_090;
const FILE_BYTES = 2_000_000;

const folders: string[] = [];
const servers: MediaServer[] = [];
let lab: TwoNetworks;

afterEach(async () => {
  await lab.close();
  await Promise.all(servers.splice(0).map((server) => server.stop()));
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true })));
});

/** nginx makes the validator from the file's time and length. */
async function startEdge(address: string, file: Buffer, modifiedS: number): Promise<MediaServer> {
  const root = await mkdtemp(path.join(tmpdir(), 'edge-'));
  folders.push(root);
  await writeFile(path.join(root, 'segment'), file);
  await utimes(path.join(root, 'segment'), modifiedS, modifiedS);
  const server = await startMediaServer({ address, port: PORT, root, mptcp: false });
  servers.push(server);
  return server;
}

function overBoth(): TwoNetworks {
  lab = new TwoNetworks(() => undefined, {
    resolve: (_, { id }) => Promise.resolve([id === 'a' ? EDGES.a : EDGES.b]),
  });
  lab.url = `http://media.test:${PORT}`;
  return lab;
}

const requestsOf = async ({ accessLogFile }: MediaServer): Promise<number> =>
  (await readFile(accessLogFile, 'utf8')).split('\n').length - 1;

it('never mixes the bytes of two edges with different files', async () => {
  // Both files have one length: the validator alone distinguishes them.
  const files = [Buffer.alloc(FILE_BYTES, 'a'), Buffer.alloc(FILE_BYTES, 'b')] as const;
  await startEdge(EDGES.a, files[0], 1_700_000_000);
  await startEdge(EDGES.b, files[1], 1_700_000_100);
  overBoth();
  for (let number = 0; number < 8; number += 1) {
    const { body, failure } = await lab.fetch('/segment');
    expect(failure).toBeUndefined();
    expect(files.some((file) => body.equals(file))).toBe(true);
  }
});

it('joins ranges of two edges with the same file', async () => {
  const file = content(FILE_BYTES);
  const one = await startEdge(EDGES.a, file, 1_700_000_000);
  const other = await startEdge(EDGES.b, file, 1_700_000_000);
  overBoth();
  for (let number = 0; number < 3; number += 1) {
    expect((await lab.fetch('/segment')).body.equals(file)).toBe(true);
  }
  expect(lab.book.of(new URL(lab.url).origin).joinable).toBe(true);
  // More than one request for each file.
  expect((await requestsOf(one)) + (await requestsOf(other))).toBeGreaterThan(6);
});
