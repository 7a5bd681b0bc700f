// Inside a sandbox: one walk on the real kernel. Prints a WalkResult.
// Usage: node bin/multipath-dash.mjs sandbox -- node --import tsx scripts/truth/walk-lab.ts NUMBER OVER [SET [SEED]]
import { spawn } from 'node:child_process';
import { mkdir, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { buildNetwork, mptcpizeEnv, SANDBOX_DIR, startMediaServer } from '../../src/lab';
import {
  INIT_BYTES,
  LADDER_BPS,
  MANIFEST_BYTES,
  segmentBytes,
  segmentPath,
  WALK_SECONDS,
  walkScenario,
} from './walk-cases';

const [number, over = 'mptcp', set, seed] = process.argv.slice(2);
const { topology } = walkScenario(Number(number), set === 'validation' ? set : 'training');
const isSingle = over !== 'mptcp' && over !== 'ranges';
const mptcp = over !== 'ranges';
const network = await buildNetwork(topology, {
  clientMptcp: mptcp,
  ...(isSingle ? { usePaths: [over] } : {}),
  ...(seed === undefined ? {} : { seed: Number(seed) }),
});
const root = `${SANDBOX_DIR}/root`;
await mkdir(root);
const files = new Map([
  ['/manifest.mpd', MANIFEST_BYTES],
  ['/init.mp4', INIT_BYTES],
  ...LADDER_BPS.map((_, rung) => [segmentPath(rung), segmentBytes(rung)] as const),
]);
for (const [name, bytes] of files) {
  await writeFile(root + name, '');
  await truncate(root + name, bytes);
}
const server = await startMediaServer({ ...network.server, root, port: 8080, mptcp });
const player = spawn(
  process.execPath,
  [
    '--import',
    'tsx',
    path.join(import.meta.dirname, 'walk-player.ts'),
    server.url,
    String(WALK_SECONDS),
    over,
  ],
  {
    env: { ...process.env, ...(mptcp ? await mptcpizeEnv() : {}) },
    stdio: ['pipe', 'pipe', 'inherit'],
  },
);
const lines = createInterface(player.stdout)[Symbol.asyncIterator]();
await lines.next();
// The trace begins with the session.
await network.restart();
player.stdin.end();
const result = (await lines.next()) as IteratorResult<string, undefined>;
await server.stop();
await network.close();
if (result.value === undefined) throw new Error('the player ended without a result');
console.log(result.value);
process.exit(0);
