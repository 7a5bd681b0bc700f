// Byte ranges over two networks from one server after the other: `npm run bench -- ranges-servers --help`.
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { NextDue, type CarriedChunk } from '../../../src/core';
import { createChunkScheduler } from '../../../src/chunks';
import { NetworkFetcher } from '../../../src/fetch';
import { loadNative, monotonicClock } from '../../../src/kernel';
import { buildNetwork, SANDBOX_DIR, startMediaServer } from '../../../src/lab';
import { parseScenario } from '../../../src/scenario';
import { readOptionsAndWords, wrongOption } from '../../setup/options.mjs';
import { noFiles } from './no-files';
import { OTHER_SERVERS, startOtherServer } from './other-servers';

const NAMES = ['nginx', ...Object.keys(OTHER_SERVERS)];
const USAGE = `npm run bench -- ranges-servers [SERVER...] [--seconds N] [--segment BYTES] [--json FILE]
  SERVER             of ${NAMES.join(', ')}; default: those that are installed
  --seconds N        of each (default 10)
  --segment BYTES    of a segment (default 3000000)
  --json FILE        the rows for machines`;
const { values, words } = readOptionsAndWords(USAGE, {
  seconds: { type: 'string', default: '10' },
  segment: { type: 'string', default: '3000000' },
  json: { type: 'string' },
});
const seconds = Number(values.seconds);
const segmentBytes = Number(values.segment);
if (!(seconds >= 1 && segmentBytes >= 1)) wrongOption('--seconds and --segment from 1', USAGE);
const unknown = words.find((word) => !NAMES.includes(word));
if (unknown !== undefined) wrongOption(`there is no server ${unknown}`, USAGE);

const SCENARIO = `topology:
  kind: multihomed
  paths:
    wifi: { rate: 20mbit, delay: 20ms, queue: 100kB }
    lte: { rate: 10mbit, delay: 40ms, queue: 100kB }
media: { kind: ladder, video: [300kbit], segment: 2s, pictures: small }
players: [ours]
duration: 60s
`;
type Request = Parameters<NetworkFetcher['announce']>[0];
type Sink = Parameters<NetworkFetcher['fetch']>[1];

const ORIGIN_PORT = 8080;
const PORT = 8090;

interface Row {
  server: string;
  goodputBps: number;
  /** By network. */
  receivedBytes: Record<string, number>;
  failures: Record<string, number>;
  longestGapMs: number;
  wrongSegments: number;
  failedSegments: string[];
}

async function measure(server: string): Promise<Row> {
  const root = `${SANDBOX_DIR}/segments`;
  mkdirSync(root, { recursive: true });
  const film = randomBytes(segmentBytes);
  writeFileSync(`${root}/segment.m4s`, film);
  // Apache's ETag of a file that was written a moment ago is weak.
  utimesSync(`${root}/segment.m4s`, 1.6e9, 1.6e9);
  const dir = mkdtempSync(`${SANDBOX_DIR}/${server}-`);
  const { topology } = parseScenario(SCENARIO, 'servers.yaml', { files: noFiles });
  const network = await buildNetwork(topology, { seed: 1, clientMptcp: false });
  const origin = await startMediaServer({
    ...network.server,
    root,
    port: ORIGIN_PORT,
    mptcp: false,
  });
  const { netns = '', address } = network.server;
  const site = { netns, address, port: PORT, root, dir, originPort: ORIGIN_PORT };
  try {
    const other = server === 'nginx' ? undefined : await startOtherServer(server, site);
    try {
      const port = other ? PORT : ORIGIN_PORT;
      return await fetchFrom(server, `http://${address}:${port}/segment.m4s`, film);
    } finally {
      await other?.stop();
    }
  } finally {
    await origin.stop();
    await network.close();
    rmSync(dir, { recursive: true, force: true });
  }
}

async function fetchFrom(server: string, url: string, film: Buffer): Promise<Row> {
  const failures: Record<string, number> = {};
  const onChunk = ({ outcome, failureReason = '' }: CarriedChunk): void => {
    if (outcome === 'failed') failures[failureReason] = (failures[failureReason] ?? 0) + 1;
  };
  const fetcher = new NetworkFetcher({
    addon: loadNative(),
    clock: monotonicClock,
    scheduler: createChunkScheduler(undefined, {}),
    onChunk,
  });
  await fetcher.ready;
  const row: Row = {
    server,
    goodputBps: 0,
    receivedBytes: {},
    failures,
    longestGapMs: 0,
    wrongSegments: 0,
    failedSegments: [],
  };
  const startMs = performance.now();
  const endMs = startMs + seconds * 1000;
  let lastMs = startMs;
  let bytes = 0;
  const stream = new NextDue();
  const requestOf = (number: number): Request => {
    const of = { url: new URL(`${url}?${number}`), headers: {}, joinable: true };
    return { ...of, stream: 'video', expectedBytes: segmentBytes };
  };
  const fetchOne = (number: number, resolve: () => void): Sink => {
    const parts: Buffer[] = [];
    let loadedBytes = 0;
    let isAnnounced = false;
    return {
      onHead: () => undefined,
      onData(chunk) {
        const nowMs = performance.now();
        if (nowMs < endMs) bytes += chunk.length;
        row.longestGapMs = Math.max(row.longestGapMs, nowMs - lastMs);
        lastMs = nowMs;
        parts.push(Buffer.from(chunk));
        loadedBytes += chunk.length;
        const progress = { loadedBytes, totalBytes: segmentBytes, atMs: nowMs };
        if (!isAnnounced && stream.isDue(number, progress)) {
          isAnnounced = true;
          fetcher.announce(requestOf(number + 1));
        }
        return true;
      },
      onEnd() {
        if (!Buffer.concat(parts).equals(film)) row.wrongSegments += 1;
        resolve();
      },
      onFailure(status, reason) {
        row.failedSegments.push(`${status}: ${reason}`);
        setTimeout(resolve, 200);
      },
    };
  };
  for (let number = 1; performance.now() < endMs; number += 1) {
    await new Promise<void>((resolve) => {
      void fetcher.fetch(requestOf(number), fetchOne(number, resolve));
    });
  }
  row.goodputBps = (bytes * 8) / seconds;
  for (const { networkId, receivedBytes } of fetcher.report().networks) {
    row.receivedBytes[networkId] = receivedBytes;
  }
  fetcher.close();
  return row;
}

const isInstalled = (server: string): boolean => {
  const make = OTHER_SERVERS[server];
  if (make === undefined) return true;
  const site = { netns: '', address: '', port: 0, root: '', dir: '', originPort: 0 };
  const [program = ''] = make(site).command;
  return spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;
};

const rows: Row[] = [];
const mbit = (bps: number): string => (bps / 1e6).toFixed(1);
console.log(
  '| server | Mbit/s | of both networks, Mbit/s | longest gap, ms | wrong, failed | failures |',
);
console.log('|---|---|---|---|---|---|');
for (const server of words.length > 0 ? words : NAMES.filter(isInstalled)) {
  try {
    const row = await measure(server);
    rows.push(row);
    const each = Object.values(row.receivedBytes).map((one) => mbit((one * 8) / seconds));
    const failed = Object.entries(row.failures).map(([reason, count]) => `${count} ${reason}`);
    const bad = `${row.wrongSegments}, ${row.failedSegments.length} ${row.failedSegments[0] ?? ''}`;
    const cells = [mbit(row.goodputBps), each.join(' + '), row.longestGapMs.toFixed(0), bad];
    console.log(`| ${[server, ...cells, failed.join('; ')].join(' | ')} |`);
  } catch (error) {
    process.exitCode = 1;
    console.error(`${server}: ${String(error)}`);
  }
}
if (values.json !== undefined) writeFileSync(values.json, JSON.stringify(rows, null, 1));
process.exit();
