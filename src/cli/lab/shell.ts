import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { errorText, printableLine, printableMessage } from '../../core';
import {
  buildNetwork,
  enterSandbox,
  exitStatusOf,
  guardSandbox,
  isInsideSandbox,
  startMediaServer,
  type LabNetwork,
  type PreparedMedia,
} from '../../lab';
import type { Scenario } from '../../scenario';
import {
  UserError,
  interruptible,
  mediaProgress,
  print,
  unlessInterrupted,
} from '../../runner/host';
import { readScenario, scenarioFiles } from '../../runner/scenarios';
import { prepareTrials, serverOptions, startPathUse } from '../../runner/trial';
import { spawnOnTerminal } from '../sandbox/command';
import { playEvents } from './shell-events';

export interface ShellOptions {
  in?: string;
  set?: string[];
  events?: boolean;
}

/** Passes the media from the outer process, which has a network, to the inner one. */
const MEDIA_VARIABLE = 'MULTIPATH_DASH_LAB_MEDIA';

function addressList(scenario: Scenario, network: LabNetwork): string[] {
  return scenario.topology.nodes.map(({ id, role }) => {
    const addresses = network.addressesOf(id);
    return `  ${id.padEnd(12)} ${role.padEnd(7)} ${addresses.join(', ')}`;
  });
}

function describeRate(rateBps: number | undefined, hasTrace: boolean): string {
  if (hasTrace) return 'by trace';
  return rateBps === undefined ? 'no limit' : `${rateBps / 1e6} Mbit/s`;
}

function pathList(scenario: Scenario, network: LabNetwork): string[] {
  const { topology } = scenario;
  return topology.paths.map(({ id, via }) => {
    const links = topology.links.filter((link) => via.includes(link.id));
    const rates = links.map(({ ba }) => describeRate(ba.rateBps, ba.trace !== undefined));
    return `  ${id.padEnd(12)} ${network.interfaceOf(id).padEnd(7)} over ${via.join(', ')} (${rates.join(', ')})`;
  });
}

function banner(scenario: Scenario, network: LabNetwork, url: string, node: string): string {
  return [
    `[lab] ${scenario.name}: ${scenario.title}`,
    '[lab] nodes',
    ...addressList(scenario, network),
    '[lab] paths, each with its interface at the client',
    ...pathList(scenario, network),
    `[lab] media at ${url}`,
    `[lab] you are in ${node}. Over all paths:  mptcpize run curl -o /dev/null ${url}`,
    '[lab] watch them:  ss -Mi;  ip mptcp endpoint;  or `multipath-dash watch` beside it',
    ...scenario.topology.nodes.flatMap(({ id }) => {
      const file = network.netnsOf(id);
      return file === undefined ? [] : [`[lab] in ${id}:  nsenter --net=${file} COMMAND`];
    }),
    '[lab] leave with exit or Ctrl-D: everything is gone then',
  ]
    .map((line) => `${printableLine(line)}\n`)
    .join('');
}

function checkNode(scenario: Scenario, node: string): void {
  const names = scenario.topology.nodes.map(({ id }) => id);
  if (names.includes(node)) return;
  throw new UserError(`--in ${node}: there is no such node; choose one of ${names.join(', ')}`, 2);
}

/** Runs a program in a node's namespace on this terminal. @returns its exit status */
async function runIn(
  netns: string | undefined,
  command: readonly string[],
  scenario: string,
  node: string,
): Promise<number> {
  const [program = '', ...args] =
    netns === undefined ? command : ['nsenter', `--net=${netns}`, ...command];
  const env = {
    ...process.env,
    PS1: `[lab ${scenario}] ${node}:\\w\\$ `,
    MULTIPATH_DASH_LAB_NODE: node,
  };
  const child = spawnOnTerminal(program, args, env);
  return new Promise((resolve, reject) => {
    child.once('error', (error) =>
      reject(new UserError(`cannot run ${program}: ${error.message}`)),
    );
    child.once('exit', (code, signal) => resolve(exitStatusOf(code, signal)));
  });
}

interface PathUse {
  /** Has a line for every change. */
  file: string;
  /** Also removes the file. */
  end: () => Promise<void>;
}

async function startUse(
  scenario: Scenario,
  network: LabNetwork,
  onFailure: (error: unknown) => void,
): Promise<PathUse | undefined> {
  if (scenario.server.pathUse === undefined) return undefined;
  const folder = mkdtempSync(path.join(os.tmpdir(), 'multipath-dash-shell-'));
  const file = path.join(folder, 'path-use.jsonl');
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    const stop = await startPathUse(scenario, network, file, onFailure);
    return { file, end: async () => stop?.().finally(remove) };
  } catch (error) {
    remove();
    throw error;
  }
}

async function shellInside(
  scenario: Scenario,
  media: PreparedMedia,
  command: readonly string[],
  options: ShellOptions,
): Promise<number> {
  const onFailure = (error: unknown): void => {
    print(process.stderr, `[lab] ${printableMessage(errorText(error))}\n`);
  };
  const { topology, backend, seed, server: wanted } = scenario;
  const network = await buildNetwork(topology, {
    backend,
    seed,
    serverMptcp: wanted.mptcp,
    onFailure,
  });
  let pathUse: PathUse | undefined;
  try {
    // Without its events a scenario needs no server with faults.
    const played = options.events === true ? scenario : { ...scenario, events: [] };
    pathUse = await startUse(scenario, network, onFailure);
    const server = await startMediaServer({ ...serverOptions(played, network, media), onFailure });
    const client = topology.nodes.find(({ role }) => role === 'client')?.id ?? '';
    const node = options.in ?? client;
    const url = `${server.url}/${media.mpd}`;
    process.env['LAB_URL'] = url;
    if (command.length === 0) {
      print(process.stderr, banner(scenario, network, url, node));
      if (pathUse !== undefined) {
        print(process.stderr, `[lab] path use decision of the server: tail -f ${pathUse.file}\n`);
      }
    }
    // Traces begin with the events.
    if (options.events === true) await network.restart();
    const callOff = playEvents(played.events, { network, server });
    try {
      const shell = ['bash', '--norc', '-i'];
      const wantedCommand = command.length === 0 ? shell : command;
      return await runIn(network.netnsOf(node), wantedCommand, scenario.name, node);
    } finally {
      callOff();
      await server.stop();
    }
  } finally {
    await pathUse?.end().catch(onFailure);
    await network.close();
  }
}

/** `lab shell FILE [--in NODE] [-- COMMAND]`. */
export async function shell(
  target: string,
  command: readonly string[],
  options: ShellOptions,
): Promise<void> {
  const [file = '', ...more] = scenarioFiles(target);
  if (more.length > 0) throw new UserError(`${target} is a folder: name one scenario`, 2);
  const scenario = readScenario(file, options.set === undefined ? {} : { set: options.set });
  if (options.in === undefined || options.in === 'client') delete options.in;
  else checkNode(scenario, options.in);
  const handed = process.env[MEDIA_VARIABLE];
  if (isInsideSandbox() && handed !== undefined) {
    guardSandbox();
    const media = JSON.parse(handed) as PreparedMedia;
    // The shell handles Ctrl-C itself: the signal must not end the network below it.
    process.exitCode = await interruptible(() => shellInside(scenario, media, command, options));
    return;
  }
  const playerless = { ...scenario, players: [] };
  const media = await unlessInterrupted((signal) =>
    prepareTrials(playerless, { signal, onProgress: mediaProgress() }),
  );
  if (media === undefined) return;
  process.exitCode = await enterSandbox({
    argv: [process.execPath, ...process.execArgv, ...process.argv.slice(1)],
    env: { ...process.env, [MEDIA_VARIABLE]: JSON.stringify({ ...media, sizes: undefined }) },
    cwd: path.resolve('.'),
    isInteractive: true,
  });
}
