import { InvalidArgumentError, type Command } from 'commander';
import { once } from 'node:events';
import os from 'node:os';
import path from 'node:path';
import { AGENT_DEFAULT_PORT } from '../../ipc';
import { loadNative } from '../../kernel';
import type { LogSink, Transport } from '../../ports';
import {
  interruptible,
  makeOutFolder,
  packageRoot,
  print,
  UserError,
  warn,
  writeJson,
} from '../../runner/host';
import { readPort } from '../../runner/options';
import { openSessionControl } from '../../runner/session';
import {
  Consents,
  createLinuxFeed,
  openJsonlLog,
  startAgent,
  toOrigin,
  type Agent,
  type ConsentAnswer,
} from '../../transport';
import { trimHeapRegularly } from '../trim-heap';
import { createAsk } from './ask';

interface AgentCommandOptions {
  allowOrigin?: string[];
  port: number;
  out?: string;
  grant?: string;
  revoke?: string;
  list?: boolean;
  json?: boolean;
  pathControl: boolean;
}

const NO_LOG: LogSink = { write: () => undefined, close: () => Promise.resolve() };

/** File of consents: one a user, whatever directory the agent was started in. */
export function consentFile(env: Readonly<Record<string, string | undefined>>): string {
  const config = env['XDG_CONFIG_HOME'] ?? '';
  const base = path.isAbsolute(config) ? config : path.join(os.homedir(), '.config');
  return path.join(base, 'multipath-dash', 'consents.json');
}

function readOrigin(text: string): string {
  const origin = toOrigin(text);
  if (origin !== undefined) return origin;
  throw new InvalidArgumentError('expected an origin, such as https://player.example');
}

/** The user's earlier answer, else a new one; a yes is stored. */
export function createConsent(
  consents: Pick<Consents, 'has' | 'grant'>,
  ask: (origin: string) => Promise<ConsentAnswer>,
  now: () => Date,
): (origin: string) => Promise<ConsentAnswer> {
  return async (origin) => {
    if (consents.has(origin)) return 'granted';
    const answer = await ask(origin);
    if (answer === 'granted') consents.grant(origin, now());
    return answer;
  };
}

/** Serves pages until a signal ends it. @throws Error if the port is taken */
export async function serve(
  origins: readonly string[],
  options: Pick<AgentCommandOptions, 'out' | 'port' | 'pathControl'>,
  consents: Consents,
  openControl = openSessionControl,
): Promise<void> {
  trimHeapRegularly();
  if (options.out !== undefined) makeOutFolder(options.out);
  const pathControl = options.pathControl ? await openControl({}) : undefined;
  try {
    await interruptible(async (signal) => {
      const agent = await openAgent(origins, options, consents, pathControl, signal);
      print(process.stdout, `multipath-dash agent at ${agent.origin} for ${origins.join(', ')}\n`);
      if (!signal.aborted) await once(signal, 'abort');
      await agent.close();
    });
  } finally {
    // Open control keeps the process alive, also after a port that is taken.
    await pathControl?.close();
  }
}

function openAgent(
  origins: readonly string[],
  { out, port }: Pick<AgentCommandOptions, 'out' | 'port'>,
  consents: Consents,
  pathControl: Awaited<ReturnType<typeof openSessionControl>>,
  signal: AbortSignal,
): Promise<Agent> {
  // Process numbers return, for example in a container. A log of an earlier agent stays whole.
  const begun = new Date().toISOString().replace(/[-:]|\..*$/g, '');
  return startAgent({
    pageDir: path.join(packageRoot(), 'dist/page'),
    port,
    pathControl,
    createTransport: createAgentFeed,
    openLog: (session) =>
      out === undefined
        ? NO_LOG
        : openJsonlLog(
            path.join(path.resolve(out), `session-${begun}-${process.pid}-${session}.jsonl`),
            { onError: ({ message }) => warn(message) },
          ),
    access: {
      origins,
      consent: createConsent(
        consents,
        createAsk({ input: process.stdin, output: process.stderr, signal }),
        () => new Date(),
      ),
    },
    onRefused: warn,
  });
}

/** The browser is no child of the agent, so the user counts. Connections of other users are no page's business. */
export function createAgentFeed(): Transport {
  const uid = process.getuid?.();
  return createLinuxFeed({ loadNative, ...(uid === undefined ? {} : { owner: { uid } }) });
}

function listConsents(consents: Consents, asJson: boolean): void {
  const all = consents.list();
  if (asJson) {
    writeJson('-', { consents: all });
    return;
  }
  for (const { origin, grantedAt } of all) print(process.stdout, `${origin}  since ${grantedAt}\n`);
  if (all.length === 0) print(process.stdout, 'no origin may see the network paths\n');
}

/** Options that only an agent that runs has, by their names in commander. */
const ofRunningAgent = {
  allowOrigin: '--allow-origin',
  port: '--port',
  out: '--out',
  pathControl: '--no-path-control',
} as const;

/** @throws UserError for options of which one would be without effect */
function checkTogether(command: Command, options: AgentCommandOptions): void {
  const alone = (['list', 'grant', 'revoke'] as const)
    .filter((name) => Boolean(options[name]))
    .map((name) => `--${name}`);
  const refuse = (names: readonly string[], why: string): never => {
    throw new UserError(`${names.join(' and ')}: ${why}`, 2);
  };
  const [ending] = alone;
  if (alone.length > 1) refuse(alone, 'one at a time');
  if (options.json === true && !options.list) refuse(['--json'], 'only with --list');
  if (ending === undefined) return;
  const given = Object.entries(ofRunningAgent)
    .filter(([name]) => command.getOptionValueSource(name) === 'cli')
    .map(([, option]) => option);
  if (given.length > 0) {
    refuse([ending, ...given], `${ending} starts no agent; call it alone`);
  }
}

/** `multipath-dash agent`. */
export function addAgentCommand(program: Command): void {
  program
    .command('agent')
    .description('give path data to web pages of origins that you allow (docs/agent.md)')
    .option(
      '--allow-origin <origin>',
      'origin whose pages may ask; may be repeated',
      (text: string, before: string[] | undefined) => [...(before ?? []), readOrigin(text)],
    )
    .option('--port <n>', 'port on 127.0.0.1', readPort, AGENT_DEFAULT_PORT)
    .option('--out <dir>', 'write a session log for each page (default: none)')
    .option('--no-path-control', 'show the paths, steer none')
    .option('--grant <origin>', 'consent to an origin without being asked, and end', readOrigin)
    .option('--revoke <origin>', 'take a consent back, and end', readOrigin)
    .option('--list', 'list the consents, and end')
    .option('--json', 'with --list: as JSON')
    .action(async (options: AgentCommandOptions, command: Command) => {
      checkTogether(command, options);
      const consents = new Consents(consentFile(process.env));
      if (options.list) {
        listConsents(consents, options.json === true);
      } else if (options.grant !== undefined) {
        consents.grant(options.grant, new Date());
        print(process.stdout, `granted: ${options.grant} may see the network paths\n`);
      } else if (options.revoke !== undefined) {
        if (!consents.revoke(options.revoke)) {
          throw new UserError(`${options.revoke} had no consent`);
        }
        print(process.stdout, `revoked: ${options.revoke}\n`);
      } else if (options.allowOrigin === undefined) {
        throw new UserError(
          'name the origins that may ask: --allow-origin https://player.example',
          2,
        );
      } else {
        await serve(options.allowOrigin, options, consents);
      }
    });
}
