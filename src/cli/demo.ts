import { InvalidArgumentError, Option, type Command } from 'commander';
import path from 'node:path';
import {
  createMultihomedLab,
  DEFAULT_PATHS,
  enterSandbox,
  guardSandbox,
  isInsideSandbox,
  LabError,
  MAX_MEDIA_SECONDS,
  parsePathSpec,
  startMediaServer,
  type MediaServer,
  type PathSpec,
} from '../lab';
import { CliError } from './cli-error';
import { playInElectron } from './demo-electron';
import { interruptible } from './interrupt';
import { collectLinkEvent, scheduleLinkEvents, type LinkEventSpec } from './link-events';
import { mediaFolder, prepareMedia } from './media';
import { mptcpEnv } from './mptcp-env';
import {
  addPlayingOptions,
  defaultRunDir,
  hasDisplay,
  readDecision,
  readSeconds,
  readSeed,
  type PlayingOptions,
} from './options';
import { playAndTell, warn } from './play';
import { checkJsonFile } from './results';
import { thisProgram } from './sandbox';

interface DemoOptions extends PlayingOptions {
  seconds: number;
  path?: PathSpec[];
  event?: LinkEventSpec[];
  https?: boolean;
  player: 'browser' | 'electron';
  serverMptcp: boolean;
  prepare?: boolean;
  mptcp: boolean;
  seed: number;
}

/** Media beyond the playing time, so that the end of the stream does not end the demo. */
const spareSeconds = 30;
/** Carries the run's folder from the outer to the inner process. */
const outDirVariable = 'MULTIPATH_DASH_RUN_DIR';

function collectPath(text: string, earlier: PathSpec[] = []): PathSpec[] {
  try {
    return [...earlier, parsePathSpec(text)];
  } catch (error) {
    if (error instanceof LabError) throw new InvalidArgumentError(error.message);
    throw error;
  }
}

const readDemoSeconds = (text: string): number =>
  readSeconds(text, MAX_MEDIA_SECONDS - spareSeconds);

function checkEvents(events: readonly LinkEventSpec[], paths: readonly PathSpec[]): void {
  for (const { pathId } of events) {
    if (!paths.some((_, index) => pathId === `path${index + 1}`)) {
      throw new CliError(`--event: there is no ${pathId} among ${paths.length} paths`, 2);
    }
  }
}

function tellFailure(error: unknown): void {
  warn(error instanceof Error ? error.message : String(error));
}

function describeServer(server: MediaServer, options: DemoOptions): string {
  const mptcp = options.serverMptcp ? `MPTCP by ${server.mptcpBy}` : 'MPTCP switched off';
  const http = options.https === true ? 'HTTP/2 over TLS' : 'HTTP/1.1';
  return `nginx ${server.nginxVersion}, ${http}, ${mptcp}, ${server.congestionControl}`;
}

/** Makes the network, serves the stream and plays it; runs inside the sandbox. */
async function demoInside(options: DemoOptions, signal: AbortSignal): Promise<void> {
  const paths = options.path ?? DEFAULT_PATHS;
  const mediaDir = await mediaFolder(options.seconds + spareSeconds, signal);
  const lab = await createMultihomedLab({
    paths,
    seed: options.seed,
    serverMptcp: options.serverMptcp,
    clientMptcp: options.mptcp,
    onFailure: tellFailure,
  });
  let callOff = (): void => {};
  try {
    const server = await startMediaServer({
      netns: lab.serverNetns,
      address: lab.serverAddress,
      root: mediaDir,
      congestionControl: lab.congestionControl,
      port: options.https === true ? 8443 : 8080,
      ...(options.https === true ? { tls: { http2: true } } : {}),
      onFailure: tellFailure,
    });
    const description = describeServer(server, options);
    process.stderr.write(
      [
        ...paths.map(
          (spec, index) =>
            `[lab] path${index + 1}: ${spec.rateBps / 1e6} Mbit/s, ${spec.delayMs} ms one way, ` +
            `${(spec.lossRatio * 100).toFixed(1)} % loss, queue ${spec.queueBytes / 1000} kB`,
        ),
        `[lab] ${description} at ${server.url}`,
        ...server.notes.map((note) => `[lab] note: ${note}`),
        '',
      ].join('\n'),
    );
    const outDir = process.env[outDirVariable] ?? defaultRunDir(new Date());
    const session = {
      url: `${server.url}/manifest.mpd`,
      abr: options.abr,
      correction: options.correction,
      // The sandbox's network is ours alone.
      decision: { ...readDecision(options), foreignEndpoints: 'suspend' as const },
      headless: options.headless ?? !hasDisplay(),
      seconds: options.seconds,
      outDir,
      env: mptcpEnv(warn),
      trustedSpkiSha256: server.tls?.spkiSha256,
      settings: {
        command: 'demo',
        emulated: true,
        paths,
        events: options.event ?? [],
        seed: options.seed,
        server: description,
        serverMptcp: options.serverMptcp,
        clientMptcp: options.mptcp,
        congestionControl: server.congestionControl,
      },
    };
    const start = (): void => {
      callOff = scheduleLinkEvents(options.event ?? [], lab, tellFailure);
    };
    try {
      if (options.player === 'electron') {
        start();
        await playInElectron(session, options.json, signal);
      } else {
        const onEvent = (event: { type: string }): void => {
          if (event.type === 'startup') start();
        };
        await playAndTell({ ...session, onEvent }, options.json, signal);
      }
    } finally {
      await server.stop();
    }
  } finally {
    callOff();
    await lab.close();
  }
}

/** `multipath-dash demo`. */
export function addDemoCommand(program: Command): void {
  const command = program
    .command('demo')
    .description('play a real stream over emulated paths: real nginx, kernel MPTCP, browser')
    .option('--seconds <n>', 'playing time after the first frame', readDemoSeconds, 60)
    .option(
      '--path <rate,delay[,loss][,q=size]>',
      'an emulated path, such as 600kbit,150ms,1%; repeat it for more (default: 5mbit,10ms and 2mbit,40ms)',
      collectPath,
    )
    .option(
      '--event <at:path:state>',
      'something happens to a path, such as 15s:path2:down (up, blackhole); may be repeated',
      collectLinkEvent,
    )
    .option('--https', 'serve over TLS with HTTP/2 and a throw-away authority')
    .addOption(
      new Option('--player <name>', 'what plays')
        .choices(['browser', 'electron'])
        .default('browser'),
    )
    .option('--seed <n>', 'seed of the emulated losses', readSeed, 1)
    .option('--no-server-mptcp', 'let the server speak plain TCP only')
    .option('--no-mptcp', 'switch MPTCP off at the client')
    .option('--prepare', 'only fetch and encode the media, once, for later');
  addPlayingOptions(command).action(async (options: DemoOptions) => {
    readDecision(options);
    checkEvents(options.event ?? [], options.path ?? DEFAULT_PATHS);
    if (options.json !== undefined) checkJsonFile(options.json);
    if (isInsideSandbox()) {
      guardSandbox();
      await interruptible((signal) => demoInside(options, signal));
      return;
    }
    // The clip comes from the network, which the sandbox does not have.
    if ((await prepareMedia(options.seconds + spareSeconds)) === undefined) return;
    if (options.prepare === true) return;
    const outDir = path.resolve(options.out ?? defaultRunDir(new Date()));
    process.exitCode = await enterSandbox({
      argv: thisProgram(),
      env: { ...process.env, [outDirVariable]: outDir },
    });
  });
}
