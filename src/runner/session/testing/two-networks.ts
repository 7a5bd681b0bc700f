// Inside a sandbox, as root: two networks, nginx without MPTCP, and an ordinary user who fetches from it. Prints the result.
import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import {
  buildNetwork,
  parsePathSpec,
  pathTopology,
  SANDBOX_DIR,
  startMediaServer,
} from '../../../lab';

/** `nobody`, on every Linux. */
const ORDINARY_ID = 65534;
const FILE_BYTES = 750_000;
const COUNT = 6;

const PATHS = ['path1', 'path2'];
const lab = await buildNetwork(pathTopology(['8mbit,10ms', '4mbit,30ms'].map(parsePathSpec)), {
  serverMptcp: false,
  clientMptcp: false,
});
const root = `${SANDBOX_DIR}/root`;
mkdirSync(root);
const file = randomBytes(FILE_BYTES);
writeFileSync(`${root}/file`, file);
const server = await startMediaServer({
  ...lab.server,
  root,
  port: 8080,
  mptcp: false,
});
const program = fileURLToPath(new URL('ordinary-user.ts', import.meta.url));
const child = spawn(
  process.execPath,
  ['--import', 'tsx', program, `${server.url}/file`, String(COUNT)],
  {
    uid: ORDINARY_ID,
    gid: ORDINARY_ID,
    env: { PATH: process.env['PATH'], TMPDIR: '/tmp', HOME: '/' },
    stdio: ['pipe', 'pipe', 'inherit'],
  },
);
const [line] = await new Promise<string[]>((resolve, reject) => {
  createInterface(child.stdout).once('line', (text) => resolve([text]));
  child.once('exit', (code) => reject(new Error(`the ordinary user's process ended with ${code}`)));
});
const said = JSON.parse(line ?? '{}') as { target: string };
const received = (name: string): number => {
  const found = readFileSync('/proc/net/dev', 'utf8')
    .split('\n')
    .find((one) => one.trim().startsWith(`${name}:`));
  return Number(found?.split(':')[1]?.trim().split(/\s+/)[0]);
};
const answerToRoot = await new Promise<string>((resolve) => {
  get(said.target, ({ statusCode }) => resolve(String(statusCode))).on('error', () =>
    resolve('closed'),
  );
});
const result = {
  ...said,
  expected: createHash('sha256').update(file).digest('hex'),
  fileBytes: FILE_BYTES * COUNT,
  received: PATHS.map(received),
  answerToRoot,
};
child.stdin.end();
await server.stop();
await lab.close();
console.log(JSON.stringify(result));
process.exit(0);
