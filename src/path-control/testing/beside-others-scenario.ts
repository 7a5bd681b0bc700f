/**
 * A local user who tries to end another user's subflows through the helper, on a real kernel. Prints the results,
 * one JSON object a line. Runs inside a private network. ../beside-others.privileged.test.ts makes the assertions.
 */
import { execFileSync } from 'node:child_process';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import type net from 'node:net';
import { loadNative } from '../../kernel/native';
import { layTwoPaths, sh, startServer } from '../../kernel/testing/two-paths';
import { runScenario } from '../../kernel/testing/run-scenario';
import { guardianOf, RawHelper } from './raw-helper';
import {
  allClosed,
  allowHelper,
  asUser,
  connect,
  endpoints,
  installHelper,
  print,
  until,
} from './stream';

const MEMBER = '12345';
/** The address where the member makes an endpoint. */
const SHARED = '10.0.4.2';
/** The kernel ends a subflow within milliseconds of the deletion of its endpoint. */
const EFFECT_MS = 500;
const native = loadNative();

/** A connection whose owner is the member. */
async function membersConnection(): Promise<net.Socket> {
  process.seteuid?.(Number(MEMBER));
  try {
    return await connect('10.0.1.2');
  } finally {
    process.seteuid?.(0);
  }
}

function startHelper(program: string): RawHelper {
  const [setpriv = '', ...args] = asUser(MEMBER);
  return new RawHelper(setpriv, ...args, program);
}

/** The other user, root, has an established subflow from the shared address. */
function othersSubflowLives(): boolean {
  const { connections, subflows } = native.snapshot();
  const others = new Set(connections.filter(({ uid }) => uid === 0).map(({ token }) => token));
  return subflows.some(
    ({ local, state, token }) =>
      local.address === SHARED && state === 1 && token !== undefined && others.has(token),
  );
}

/** The other user's connection gets a subflow from the member's endpoint. */
async function othersConnection(): Promise<net.Socket> {
  const client = await connect('10.0.1.2');
  await until('a subflow of the other user', othersSubflowLives);
  return client;
}

/** The member limits the descriptors of a process of the helper, so that it can open no socket. */
function starve(pid: number): void {
  const [setpriv = '', ...args] = asUser(MEMBER);
  execFileSync(setpriv, [...args, 'prlimit', '--pid', String(pid), '--nofile=2:2']);
}

type Case = (helper: RawHelper) => Promise<net.Socket>;

/** The helper restores, and cannot open a socket to find out who uses its endpoint. */
const starvedFirst: Case = async (helper) => {
  const other = await othersConnection();
  starve(helper.child.pid ?? 0);
  helper.child.stdin?.write('1 restore\n');
  await helper.ended;
  return other;
};

/** The same in the second process, after the end of the first one. */
const starvedSecond: Case = async (helper) => {
  const other = await othersConnection();
  starve(guardianOf(helper));
  helper.child.kill('SIGKILL');
  await helper.ended;
  return other;
};

/** A stopped second process does not hold a request open until the other user has a connection. */
const heldOpen: Case = async (helper) => {
  process.kill(guardianOf(helper), 'SIGSTOP');
  let answer = 'ok';
  for (let n = 0; n < 5000 && answer === 'ok'; n += 1)
    answer = await helper.ask(`backup 99 ${SHARED} ${n % 2 === 0 ? 'on' : 'off'}`);
  print('held open: backup', answer);
  print('held open: remove', await helper.ask(`remove 99 ${SHARED}`));
  const other = await othersConnection();
  process.kill(guardianOf(helper), 'SIGCONT');
  await sleep(EFFECT_MS);
  print('held open: remove beside the other user', await helper.ask(`remove 99 ${SHARED}`));
  return other;
};

async function play(name: string, program: string, work: Case): Promise<void> {
  const member = await membersConnection();
  const helper = startHelper(program);
  print(`${name}: add`, await helper.ask(`add 99 ${SHARED} 0 2`));
  const other = await work(helper);
  await sleep(EFFECT_MS);
  print(`${name}: subflow lives`, othersSubflowLives());
  print(`${name}: endpoint`, endpoints().includes(`${SHARED} id 99 subflow`));
  await helper.end();
  member.destroy();
  other.destroy();
  sh('ip', 'mptcp', 'endpoint', 'flush');
  await allClosed();
}

async function main(): Promise<void> {
  layTwoPaths();
  sh('ip', 'mptcp', 'limits', 'set', 'subflows', '4');
  sh('ip', 'address', 'add', `${SHARED}/24`, 'dev', 'c1');
  sh('ip', '-n', 'server', 'address', 'add', '10.0.4.1/24', 'dev', 's1');
  const server = await startServer({ mptcp: true });
  const program = installHelper();
  allowHelper(program);
  await play('starved first', program, starvedFirst);
  await play('starved second', program, starvedSecond);
  await play('held open', program, heldOpen);
  server.kill();
}

runScenario(main);
