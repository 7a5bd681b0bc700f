import { InvalidArgumentError, Option, type Command } from 'commander';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { errorText, formatShare } from '../../core';
import {
  buildNetwork,
  DEFAULT_PATHS,
  enterSandbox,
  guardSandbox,
  isInsideSandbox,
  labRefusal,
  LabError,
  MAX_MEDIA_SECONDS,
  parsePathSpec,
  pathTopology,
  startMediaServer,
  type MediaServer,
  type PathSpec,
} from '../../lab';
import {
  UserError,
  interruptible,
  unlessInterrupted,
  carriageEnv,
  defaultRunDir,
  OUT_DIR_VARIABLE,
  hasDisplay,
  makeOutFolder,
  checkJsonFile,
  findElectron,
  packageRoot,
  print,
  warn,
} from '../../runner/host';
import { monotonicClock } from '../../kernel';
import { MAX_PATHS } from '../../scenario';
import { startTimeline } from '../../runner/trial';
import { playInElectron } from './electron';
import { collectLinkEvent, type DemoLinkEvent } from './link-events';
import { mediaFolder } from './media';
import {
  addPlayingOptions,
  checkCarriage,
  readDecision,
  readSeconds,
  readSeed,
  type PlayingOptions,
} from '../../runner/options';
import { requireDisplay } from '../app/command';
import { playAndReport } from '../play/command';
import { thisProgram } from '../sandbox/command';

interface DemoOptions extends PlayingOptions {
  seconds: number;
  path?: PathSpec[];
  event?: DemoLinkEvent[];
  https?: boolean;
  player: 'browser' | 'electron';
  serverMptcp: boolean;
  prepare?: boolean;
  mptcp: boolean;
  seed: number;
}

/** Media in addition to the playing time, so that the stream does not end before the demo. */
const SPARE_SECONDS = 30;

function collectPath(text: string, earlier: PathSpec[] = []): PathSpec[] {
  if (earlier.length === MAX_PATHS) throw new InvalidArgumentError(`at most ${MAX_PATHS} paths`);
  try {
    return [...earlier, parsePathSpec(text)];
  } catch (error) {
    if (error instanceof LabError) throw new InvalidArgumentError(error.message);
    throw error;
  }
}

const readDemoSeconds = (text: string): number =>
  readSeconds(text, MAX_MEDIA_SECONDS - SPARE_SECONDS);

function checkEvents(
  events: readonly DemoLinkEvent[],
  paths: readonly PathSpec[],
  seconds: number,
): void {
  for (const { atMs, link } of events) {
    if (!paths.some((_, index) => link === `path${index + 1}`)) {
      throw new UserError(`--event: there is no ${link} among ${paths.length} paths`, 2);
    }
    if (atMs >= seconds * 1000) {
      throw new UserError(
        `--event: ${atMs / 1000} s is not before the end of the demo (--seconds ${seconds})`,
        2,
      );
    }
  }
}

function reportFailure(error: unknown): void {
  warn(errorText(error));
}

function describeServer(server: MediaServer, options: DemoOptions): string {
  const mptcp = options.serverMptcp ? `MPTCP by ${server.mptcpBy}` : 'MPTCP switched off';
  const http = options.https === true ? 'HTTP/2 over TLS' : 'HTTP/1.1';
  return `${server.software}, ${http}, ${mptcp}, ${server.congestionControl}`;
}

/** Makes the network, serves the stream and plays it; runs inside the sandbox. */
async function demoInside(options: DemoOptions, signal: AbortSignal): Promise<void> {
  const paths = options.path ?? DEFAULT_PATHS;
  const mediaDir = await mediaFolder(options.seconds + SPARE_SECONDS, signal);
  const lab = await buildNetwork(pathTopology(paths), {
    seed: options.seed,
    serverMptcp: options.serverMptcp,
    clientMptcp: options.mptcp,
    onFailure: reportFailure,
  });
  const events = options.event ?? [];
  let stopEvents = (): Promise<void> => Promise.resolve();
  try {
    const server = await startMediaServer({
      ...lab.server,
      root: mediaDir,
      port: options.https === true ? 8443 : 8080,
      ...(options.https === true ? { tls: { http2: true } } : {}),
      onFailure: reportFailure,
    });
    const description = describeServer(server, options);
    print(
      process.stderr,
      [
        ...paths.map(
          (spec, index) =>
            `[lab] path${index + 1}: ${spec.rateBps / 1e6} Mbit/s, ${spec.delayMs} ms one way, ` +
            `${formatShare(spec.lossRatio, 1)} loss, queue ${spec.queueBytes / 1000} kB`,
        ),
        `[lab] ${description} at ${server.url}`,
        ...server.notes.map((note) => `[lab] note: ${note}`),
        '',
      ].join('\n'),
    );
    const outDir = process.env[OUT_DIR_VARIABLE] ?? defaultRunDir(new Date());
    const session = {
      url: `${server.url}/manifest.mpd`,
      abr: options.abr,
      correction: options.correction,
      // The sandbox's network belongs to this program alone.
      decision: { ...readDecision(options), foreignEndpoints: 'suspend' as const },
      headless: options.headless ?? !hasDisplay(),
      seconds: options.seconds,
      outDir,
      carriage: options.carriage,
      extraCa: server.tls && readFileSync(server.tls.caFile, 'utf8'),
      env: carriageEnv(options.carriage, warn),
      trustedSpkiSha256: server.tls?.spkiSha256,
      settings: {
        command: 'demo',
        emulated: true,
        paths,
        events: events.map(({ atMs, link, state }) => ({ atMs, pathId: link, state })),
        seed: options.seed,
        server: description,
        serverMptcp: options.serverMptcp,
        clientMptcp: options.mptcp,
        carriage: options.carriage,
        congestionControl: server.congestionControl,
      },
    };
    const start = (): void => {
      stopEvents = startTimeline(
        events,
        (event) => lab.apply(event),
        monotonicClock,
        reportFailure,
      );
    };
    try {
      if (options.player === 'electron') {
        start();
        await playInElectron(session, options.json, signal);
      } else {
        const onEvent = (event: { type: string }): void => {
          if (event.type === 'startup') start();
        };
        await playAndReport({ ...session, onEvent }, options.json, signal);
      }
    } finally {
      await server.stop();
    }
  } finally {
    await stopEvents();
    await lab.close();
  }
}

/** `multipath-dash demo`. */
export function addDemoCommand(program: Command): void {
  const command = program
    .command('demo')
    .description('play a real stream over emulated paths: real nginx, real kernel, browser')
    .option('--seconds <n>', 'playing time after the first frame', readDemoSeconds, 60)
    .option(
      '--path <rate,delay[,loss][,NAME=VALUE]...>',
      'an emulated path, such as 600kbit,150ms,1%; NAME is q (size of the queue), qdisc, target, jitter; ecn alone turns it on; repeat it for more paths (default: 5mbit,10ms and 2mbit,40ms)',
      collectPath,
    )
    .option(
      '--event <at:path:state>',
      'state change of a path, such as 15s:path2:down (up, blackhole); may be repeated',
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
    checkCarriage(options);
    checkEvents(options.event ?? [], options.path ?? DEFAULT_PATHS, options.seconds);
    if (options.json !== undefined) checkJsonFile(options.json);
    if (isInsideSandbox()) {
      guardSandbox();
      await interruptible((signal) => demoInside(options, signal));
      return;
    }
    if (options.prepare !== true) {
      if (options.player === 'electron') requireDisplay();
      // Check before a minute of encoding, not after it.
      const refusal = await labRefusal({ isEmulated: true });
      if (refusal !== undefined) throw refusal;
    }
    const outDir = path.resolve(options.out ?? defaultRunDir(new Date()));
    if (options.out !== undefined && options.prepare !== true) makeOutFolder(outDir);
    // Inside, a user namespace hides the owner of the program.
    if (options.player === 'electron') findElectron(process.env, packageRoot(), process.cwd());
    // The clip comes from the network, which the sandbox does not have.
    const media = (signal: AbortSignal): Promise<string> =>
      mediaFolder(options.seconds + SPARE_SECONDS, signal);
    if ((await unlessInterrupted(media)) === undefined) return;
    if (options.prepare === true) return;
    process.exitCode = await enterSandbox({
      argv: thisProgram(),
      env: { ...process.env, [OUT_DIR_VARIABLE]: outDir },
    });
  });
}
