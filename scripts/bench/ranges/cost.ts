// The cost of the gateway at 50 Mbit/s: processor time, the first byte's delay, memory over time.
// `npm run bench -- ranges-cost [--seconds N]`.
import { fork } from 'node:child_process';
import { Agent, get } from 'node:http';
import path from 'node:path';
import { rolldown } from 'rolldown';
import { median } from '../../../src/core';
import { gatewayTarget } from '../../../src/ipc';
import { parseScenario } from '../../../src/scenario';
import type { GatewayMessage } from './gateway-process';
import { serve } from './network';
import { noFiles } from './no-files';
import { readOptions } from '../../setup/options.mjs';

const USAGE = `npm run bench -- ranges-cost [--seconds N]
  --seconds N   of transfer (default 60)`;
const values = readOptions(USAGE, { seconds: { type: 'string', default: '60' } });
const seconds = Number(values.seconds);
/** Pairs of requests, direct and through the gateway, on networks without other load. */
const PAIRS = 30;
const SAMPLE_MS = 2000;
/** 2 s of 25 Mbit/s, which a player chooses at 50 Mbit/s. */
const SEGMENT_BYTES = 6_250_000;

const text = [
  'topology:',
  '  kind: multihomed',
  '  paths:',
  '    wifi: { rate: 26mbit, delay: 10ms, queue: 200kB }',
  '    lte: { rate: 26mbit, delay: 20ms, queue: 200kB }',
  'media: { kind: ladder, video: [25mbit], segment: 2s, pictures: small }',
  'players: [ours]',
  'duration: 60s',
].join('\n');
const scenario = parseScenario(text, 'cost.yaml', { files: noFiles });

const served = await serve(scenario, { seed: 1, mptcp: false, segmentBytes: SEGMENT_BYTES });
const bundle = await bundleGateway();
const child = fork(bundle, [new URL(served.url).origin], { execArgv: [] });
const message = (): Promise<GatewayMessage> =>
  new Promise((resolve) => child.once('message', (sent) => resolve(sent as GatewayMessage)));

async function usage(): Promise<GatewayMessage & { type: 'usage' }> {
  const answer = message();
  child.send('usage');
  const found = await answer;
  if (found.type !== 'usage') throw new Error('the gateway answered something else');
  return found;
}

/** The gateway as users run it, without the loader of this benchmark, which marks every closure. */
async function bundleGateway(): Promise<string> {
  const file = path.resolve('.cache/bench/gateway-process.mjs');
  const bundler = await rolldown({
    input: path.join(import.meta.dirname, 'gateway-process.ts'),
    platform: 'node',
    external: [/^node:/, /^undici/, 'netlink'],
  });
  await bundler.write({ file, format: 'esm' });
  return file;
}

const agent = new Agent({ keepAlive: true, maxSockets: 1 });
/** Resolves with the time to the first byte and the bytes. */
function fetchOnce(
  url: string,
  onFirstByte: () => void = () => undefined,
): Promise<{ firstMs: number; bytes: number }> {
  const startMs = performance.now();
  let firstMs = 0;
  let bytes = 0;
  return new Promise((resolve, reject) => {
    get(url, { agent }, (response) => {
      response.on('data', (piece: Buffer) => {
        if (bytes === 0) {
          firstMs = performance.now() - startMs;
          onFirstByte();
        }
        bytes += piece.length;
      });
      response.once('end', () => resolve({ firstMs, bytes }));
      response.once('error', reject);
    }).once('error', reject);
  });
}

const ready = await message();
if (ready.type !== 'ready') throw new Error('the gateway did not start');
const { url: gatewayUrl } = ready;
let count = 0;
const throughGateway = (method: 'GET' | 'POST', number: number): string => {
  const url = `${served.url}?${method === 'GET' ? number : number + 1}`;
  const expectedBytes = SEGMENT_BYTES;
  return gatewayTarget(gatewayUrl, { url, joinableInMs: 0, stream: 'video', expectedBytes });
};

const direct: number[] = [];
const through: number[] = [];
for (let pair = 0; pair < PAIRS; pair += 1) {
  count += 1;
  direct.push((await fetchOnce(`${served.url}?${count}`)).firstMs);
  through.push((await fetchOnce(throughGateway('GET', count))).firstMs);
}

const before = await usage();
const memory: number[] = [];
const timer = setInterval(
  () => void usage().then(({ rssBytes }) => memory.push(rssBytes)),
  SAMPLE_MS,
);
const startMs = performance.now();
let bytes = 0;
while (performance.now() - startMs < seconds * 1000) {
  count += 1;
  // Announced at the first byte: the networks never idle.
  const announce = (): void => {
    void fetch(throughGateway('POST', count), { method: 'POST' });
  };
  bytes += (await fetchOnce(throughGateway('GET', count), announce)).bytes;
}
clearInterval(timer);
const elapsedMs = performance.now() - startMs;
const after = await usage();

const third = Math.floor(memory.length / 3);
const mb = (list: readonly number[]): string => `${((median(list) ?? 0) / 1e6).toFixed(0)} MB`;
const ms = (list: readonly number[]): string => `${(median(list) ?? 0).toFixed(1)} ms`;
console.log('| measure | value |\n|---|---|');
console.log(`| goodput | ${((bytes * 8) / elapsedMs / 1000).toFixed(1)} Mbit/s |`);
console.log(
  `| processor time of the gateway | ${((100 * (after.cpuMs - before.cpuMs)) / elapsedMs).toFixed(1)} % of a core |`,
);
console.log(`| first byte, direct and through the gateway | ${ms(direct)}, ${ms(through)} |`);
console.log(
  `| memory in the second and the last third of ${seconds} s | ${mb(memory.slice(third, 2 * third))}, ${mb(memory.slice(2 * third))} |`,
);
console.log(`| wasted | ${((100 * after.wastedBytes) / Math.max(1, bytes)).toFixed(1)} % |`);
child.disconnect();
await served.close();
process.exit(0);
