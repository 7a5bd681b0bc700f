/**
 * Calls every function of the addon on real connections and prints the results, one JSON object per line.
 * Runs inside a private network; ../addon.privileged.test.ts checks the output.
 */
import { execFileSync, spawn } from 'node:child_process';
import { readdirSync, readlinkSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { addSecondEndpoint, layTwoPaths, SERVER_ADDRESS, sh } from '../../testing/two-paths';
import { runScenario } from '../../testing/run-scenario';
import { loadNative } from '..';
import { PORT, startWebServer, webClient } from './http-over-mptcp';

const native = loadNative();
const observed = (name: string, value: unknown): void =>
  void process.stdout.write(`${JSON.stringify({ name, value })}\n`);

/** The code of a thrown error, or 'none'. */
async function codeOf(work: () => unknown): Promise<unknown> {
  try {
    await work();
    return 'none';
  } catch (error) {
    return (error as { code?: unknown }).code ?? String(error);
  }
}

async function until(what: string, condition: () => boolean): Promise<void> {
  for (let tries = 0; tries < 400; tries += 1) {
    if (condition()) return;
    await sleep(50);
  }
  throw new Error(`timed out waiting for: ${what}`);
}

const fullyJoined = (): boolean =>
  native.snapshot().subflows.filter((s) => s.fullyEstablished === true).length === 2;

async function connections(): Promise<void> {
  const client = webClient(await native.connectMptcp({ address: SERVER_ADDRESS, port: PORT }));
  await client.get(1);
  await until('the second subflow', fullyJoined);
  observed('body', await client.get(2_000_000));
  const plain = net.connect({ host: SERVER_ADDRESS, port: PORT });
  await new Promise((resolve) => plain.once('connect', resolve));

  const remote = { address: SERVER_ADDRESS, port: PORT };
  observed('bytesRead', client.socket.bytesRead);
  await quiet();
  observed('snapshot', native.snapshot());
  observed('server', native.snapshot({ netns: 'server' }));
  observed('server by path', native.snapshot({ netns: '/run/netns/server' }));
  observed('no such netns', await codeOf(() => native.snapshot({ netns: 'nowhere' })));
  observed('this remote', native.snapshot({ remotes: [remote] }));
  observed('any port', native.snapshot({ remotes: [{ ...remote, port: 0 }] }));
  observed('other port', native.snapshot({ remotes: [{ ...remote, port: 1 }] }));
  observed('other address', native.snapshot({ remotes: [{ address: '10.0.9.9', port: PORT }] }));
  observed(
    'mapped',
    native.snapshot({ remotes: [{ address: `::ffff:${SERVER_ADDRESS}`, port: PORT }] }),
  );
  observed('own uid', native.snapshot({ uids: [4, 0] }));
  observed('other uid', native.snapshot({ uids: [12_345] }));
  observed('with plain', native.snapshot({ includePlainTcp: true }));
  const fd = (client.socket as unknown as { _handle: { fd: number } })._handle.fd;
  observed('fullInfo', native.fullInfo(fd));
  observed('unprivileged', await asNobody());

  plain.destroy();
  client.socket.destroy();
  await until('closed', () => native.snapshot().connections.length === 0);
  const six = webClient(await native.connectMptcp({ address: 'fd00:1::1', port: PORT }));
  await six.get(1000);
  observed('six', native.snapshot());
  six.socket.destroy();
  await until('closed', () => native.snapshot().connections.length === 0);
}

/** Waits until no duplicate is in flight: the body is complete before the last reinjection arrives. */
async function quiet(): Promise<void> {
  const counters = (): string =>
    JSON.stringify(native.snapshot().subflows.map((subflow) => subflow.tcp?.bytesReceived));
  for (let before = ''; before !== counters();) {
    before = counters();
    await sleep(300);
  }
}

/** The results of a user without privileges. */
function asNobody(): Promise<unknown> {
  const program = `
    const native = require(process.argv[1]);
    try { console.log(JSON.stringify(native.snapshot())); }
    catch (error) { console.log(JSON.stringify({ code: error.code, message: error.message })); }`;
  const addon = path.resolve(import.meta.dirname, '../../../../native/build/multipath_dash.node');
  const user = ['--reuid', '65534', '--regid', '65534', '--clear-groups', '--bounding-set=-all'];
  const out = execFileSync('setpriv', [...user, process.execPath, '-e', program, addon]);
  return Promise.resolve(JSON.parse(out.toString()));
}

/** The socket of a child that uses MPTCP unknowingly, as a browser does. */
async function borrowed(): Promise<void> {
  const program = `const s = require('net').connect(${PORT}, '${SERVER_ADDRESS}', () => {
    s.write('GET /70000 HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n');
    let n = 0;
    s.on('data', (d) => { n += d.length; if (n > 70000) console.log('read ' + s.bytesRead); });
  });`;
  const child = spawn('mptcpize', ['run', process.execPath, '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const pid = child.pid ?? 0;
  const said = await new Promise<string>((resolve) => {
    child.stdout.once('data', (text: Buffer) => resolve(text.toString()));
  });
  const [connection] = native.snapshot().connections;
  const folder = `/proc/${pid}/fd`;
  const fd = readdirSync(folder).find(
    (name) => readlinkSync(`${folder}/${name}`) === `socket:[${connection?.inode ?? 0}]`,
  );
  const copy = native.dupFd(pid, Number(fd));
  observed('borrowed', { said, diag: connection, own: native.fullInfo(copy).connections[0] });
  native.closeFd(copy);
  observed('closed twice', await codeOf(() => native.closeFd(copy)));
  observed('no such fd', await codeOf(() => native.dupFd(pid, 9999)));
  child.kill();
  await until('closed', () => native.snapshot().connections.length === 0);
}

async function sampler(): Promise<void> {
  let wakes = 0;
  const instance = new native.Sampler({ onReadable: () => (wakes += 1) });
  const client = webClient(await native.connectMptcp({ address: SERVER_ADDRESS, port: PORT }));
  await client.get(1);
  instance.start();
  await until('a first snapshot', () => instance.stats().taken > 0);
  instance.read();
  const takenBefore = instance.stats().taken;
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000);
  const takenBlocked = instance.stats().taken - takenBefore;
  const wakesBlocked = wakes;
  await until('the second subflow', () =>
    instance.read().some((s) => s.subflows.filter((f) => f.fullyEstablished === true).length === 2),
  );
  instance.setFilter({ remotes: [{ address: '10.0.9.9', port: 0 }] });
  await until('the filter', () => instance.read().some((s) => s.connections.length === 0));
  instance.setFilter({});
  await until('no filter', () => instance.read().some((s) => s.connections.length === 1));
  client.socket.destroy();
  await until('the end', () => instance.read().some((s) => s.connections.length === 0));
  instance.stop();
  instance.stop();
  instance.read();
  observed('sampler', { takenBlocked, wakesBlocked, wakes, stats: instance.stats() });
  const small = new native.Sampler({ periodMs: 10, capacity: 2 });
  small.start();
  await until('an overflow', () => small.stats().taken >= 6);
  small.stop();
  observed('small', { read: small.read().length, stats: small.stats() });
}

async function refusals(): Promise<void> {
  observed('capabilities', native.capabilities());
  observed(
    'refused',
    await codeOf(() => native.connectMptcp({ address: SERVER_ADDRESS, port: 1 })),
  );
  observed('not mptcp', await codeOf(() => native.fullInfo(0)));
  observed(
    'bad address',
    await codeOf(() => native.connectMptcp({ address: 'localhost', port: PORT })),
  );
  observed('bad filter', await codeOf(() => native.snapshot({ uids: [-1] })));
  observed('no such process', await codeOf(() => native.dupFd(99_999, 0)));
  sh('sysctl', '-qw', 'net.mptcp.enabled=0');
  observed(
    'disabled',
    await codeOf(() => native.connectMptcp({ address: SERVER_ADDRESS, port: PORT })),
  );
  observed('capabilities without', native.capabilities());
}

async function main(): Promise<void> {
  layTwoPaths();
  sh('ip', 'address', 'add', 'fd00:1::2/64', 'dev', 'c1', 'nodad');
  sh('ip', '-n', 'server', 'address', 'add', 'fd00:1::1/64', 'dev', 's1', 'nodad');
  addSecondEndpoint();
  const server = await startWebServer();
  await connections();
  await borrowed();
  await sampler();
  await refusals();
  server.kill();
}

runScenario(main);
