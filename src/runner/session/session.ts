import path from 'node:path';
import type { MediaChoice } from '../../core';
import { createSummary, type SessionSummary } from '../../qoe';
import type { SharedPathControl } from '../../path-control';
import type { LogEvent } from '../../session-log';
import {
  createLinuxFeed,
  openCarriage,
  startAgent,
  type Agent,
  type CarriageChoice,
  type LogFormat,
  type OpenCarriage,
} from '../../transport';
import { descendantsOf, loadNative, monotonicClock, type SocketOwner } from '../../kernel';
import { launchBrowser, type Browser, type BrowserOptions } from '../host/browser';
import {
  decisionParameters,
  isBaseline,
  openSessionControl,
  type DecisionOptions,
} from './decision';
import { LiveState } from './live-state';
import { LiveView } from './live-view';
import { packageRoot } from '../host/package-root';
import { watchForEnd } from './session-ending';
import { makeSessionFolder, openSessionLog, sessionLogFile } from './session-files';
import { guardStream, type StreamGuard } from './stream-guard';
import { warn } from '../host/terminal';

/** Settings of a session; see `multipath-dash play --help`. */
export interface SessionOptions {
  /** MPD. */
  url: string;
  abr: string;
  /** Corrects dash.js's throughput by the capacity of the paths. */
  correction: boolean;
  /** Path decision settings. Default: the player's own choice, with control of the paths if available. */
  decision?: DecisionOptions;
  /** Tracks and keys. The log never gets the keys. */
  media?: MediaChoice | undefined;
  /** The carriage of media; default `mptcp`, the player's own sockets. */
  carriage?: CarriageChoice | undefined;
  /** Name of the chunk scheduler that assigns byte ranges to networks; default ours. */
  chunkScheduler?: string | undefined;
  /** The proxy through which the browser reaches a URL; undefined without one. Default: none. */
  proxyFor?: ((url: URL) => string | undefined) | undefined;
  /** An authority to trust beside the system's, PEM. */
  extraCa?: string | undefined;
  headless: boolean;
  /** Playing time after the first frame. Undefined: plays until the window closes or the stream ends. */
  seconds?: number | undefined;
  /** Folder of the run. */
  outDir: string;
  /** Environment of the browser, such as LD_PRELOAD of mptcpize. */
  env: Record<string, string>;
  trustedSpkiSha256?: string | undefined;
  /** Default `plain`. */
  logFormat?: LogFormat;
  /** Logs URLs with the values of their queries. Default: false. */
  wholeUrls?: boolean | undefined;
  /** Written into the log's configuration line. */
  settings: Record<string, unknown>;
  /** Ends the session in order. */
  signal: AbortSignal;
  onEvent?: (event: LogEvent) => void;
  /** Starts the program that shows the page. Default: the machine's browser, for a person to watch. */
  launch?: (options: BrowserOptions) => Browser | Promise<Browser>;
  /** Folder of the page below `dist`; default `page`, our player. */
  page?: 'page' | 'baseline/shaka';
  /** Draws the paths on the terminal while it plays; default true. */
  liveView?: boolean;
  /** Fails a session without a player state for this long after the first frame. Default: never. */
  silenceMs?: number;
  /** Settles with a fault around the session, which fails it. */
  fault?: Promise<string>;
}

export interface SessionResult {
  summary: SessionSummary;
  logFile: string;
  /** A page connected, so a summary is possible. */
  played: boolean;
  /** False if the log could not be opened, or writing it failed: the summary then has more than the log. */
  logIsWhole: boolean;
  /** The reason for an early end of playback. */
  failure?: string | undefined;
}

const DRAW_EVERY_MS = 1000;

/** The openers of a session's parts. Tests replace them. */
const realParts = { openSessionControl, startAgent };

/** Plays one stream in a browser with the kernel's view of its paths, and logs it. */
export async function runSession(
  options: SessionOptions,
  parts: typeof realParts = realParts,
): Promise<SessionResult> {
  const { logFormat = 'plain' } = options;
  const logFileOf = (page: number): string => sessionLogFile(options.outDir, page, logFormat);
  makeSessionFolder(options.outDir);
  let shown = showPage(0);
  let logIsWhole = true;
  const started = performance.now();
  const end = watchForEnd(
    monotonicClock,
    options.seconds === undefined ? undefined : options.seconds * 1000,
    options.silenceMs,
  );
  const onEvent = (event: LogEvent, page: number): void => {
    // A reloaded page is another session, with its own log. The session before has ended.
    if (page < shown.page) return;
    if (page > shown.page) {
      shown = showPage(page);
      end.pageCame();
    }
    shown.summary.add(event);
    shown.live.observe(event);
    options.onEvent?.(event);
    end.observe(event);
  };

  const decision = options.decision ?? {};
  const { abr, correction } = options;
  const steers = (options.page ?? 'page') === 'page' && !isBaseline(abr, correction, decision);
  const kernelControl = steers ? await parts.openSessionControl(decision) : undefined;
  const carriage = await openSessionCarriage(options, kernelControl).catch(
    closing(() => kernelControl?.close()),
  );
  // The fetcher's choice of networks changes nothing of the system: it needs no permission.
  const pathControl = steers ? (carriage?.pathControl ?? kernelControl) : undefined;
  const agent = await parts
    .startAgent({
      pathControl,
      pageDir: path.join(packageRoot(), 'dist', options.page ?? 'page'),
      createTransport: () => {
        const feed = createLinuxFeed({ loadNative, owner: ownSockets() });
        return carriage?.feed(feed) ?? feed;
      },
      onRefused: warn,
      wholeUrls: options.wholeUrls,
      openLog: (page) =>
        openSessionLog(options, logFileOf(page), (isWhole) => {
          logIsWhole = isWhole;
        }),
      onEvent,
    })
    .catch(
      closing(async () => {
        await pathControl?.close();
        await carriage?.close();
      }),
    );
  carriage?.allowPage(agent.origin);
  const onAbort = (): void => end.end({ reason: 'interrupted' });
  options.signal.addEventListener('abort', onAbort);
  void options.fault?.then((failure) => end.end({ failure }));
  const draw = (): void => shown.view.draw(performance.now() - started);
  const drawing = options.liveView === false ? undefined : setInterval(draw, DRAW_EVERY_MS);
  let browser: Browser | undefined;
  try {
    if (options.signal.aborted) onAbort();
    else browser = await launchFor(options, agent, carriage);
    void browser?.exited.then(({ isOrderly, how }) => {
      // Only a viewer closes a window; a browser without one, or without a page yet, has failed.
      const isClosed = !options.headless && isOrderly && shown.page > 0;
      end.end(isClosed ? { reason: 'closed' } : { failure: `the browser ${how}` });
    });
    void browser?.lost?.then((how) => end.end({ failure: `the browser ${how}` }));
    const ending = await end.ended;
    await agent.close('failure' in ending ? 'failed' : ending.reason);
    return {
      summary: { ...shown.summary.finish(), logFile: logFileOf(shown.page) },
      logFile: logFileOf(shown.page),
      played: shown.page > 0,
      logIsWhole,
      failure: 'failure' in ending ? ending.failure : undefined,
    };
  } finally {
    end.close();
    clearInterval(drawing);
    options.signal.removeEventListener('abort', onAbort);
    await browser?.close();
    await agent.close('interrupted');
    await pathControl?.close();
    await carriage?.close();
  }
}

/** A handler of an error that first closes what is open already: open parts keep the process alive. */
function closing(close: () => Promise<void> | undefined): (error: unknown) => Promise<never> {
  return async (error) => {
    await close();
    throw error;
  };
}

/** The gateway that fetches the media over every network. Undefined where the browser's own sockets carry the stream. */
async function openSessionCarriage(
  options: SessionOptions,
  kernelControl: SharedPathControl | undefined,
): Promise<OpenCarriage | undefined> {
  const choice = options.carriage ?? 'mptcp';
  if (choice === 'mptcp') return undefined;
  return openCarriage({
    choice,
    addon: loadNative(),
    clock: monotonicClock,
    playerSpeaksMptcp: options.env['LD_PRELOAD'] !== undefined,
    origin: new URL(options.url).origin,
    kernelControl,
    networks: options.decision?.networks,
    scheduler: options.chunkScheduler,
    extraCa: options.extraCa,
    proxyFor: (url) => Promise.resolve(options.proxyFor?.(url)),
    onNote: warn,
    onRefused: warn,
  });
}

/** The live view and the summary use the page that came last. */
function showPage(page: number) {
  const live = new LiveState();
  return { page, live, summary: createSummary(), view: new LiveView(process.stderr, live) };
}

/** Sockets of this user's browser, not of other programs that talk to the same server. */
function ownSockets(): SocketOwner {
  const uid = process.getuid?.();
  return { pids: () => descendantsOf(process.pid), ...(uid === undefined ? {} : { uid }) };
}

async function launchFor(
  options: SessionOptions,
  agent: Agent,
  carriage: OpenCarriage | undefined,
): Promise<Browser> {
  if (options.launch) return options.launch(browserOptions(options, agent));
  // Only the browser of `play` and `demo` can meet a stream of the internet.
  const guard = await guardStream(new URL(options.url), warn);
  guard?.serves(agent.origin);
  if (carriage) guard?.serves(carriage.gatewayOrigin);
  return launchBrowser(browserOptions(options, agent, guard));
}

function browserOptions(
  options: SessionOptions,
  agent: Agent,
  guard?: StreamGuard,
): BrowserOptions {
  return {
    url: agent.pageUrl({
      mpd: options.url,
      abr: options.abr,
      correction: options.correction ? '1' : '0',
      autoplay: '1',
      ...decisionParameters(options.decision ?? {}),
      ...(options.media ? { media: JSON.stringify(options.media) } : {}),
    }),
    startUrl: agent.startUrl,
    headless: options.headless,
    env: options.env,
    trustedSpkiSha256: options.trustedSpkiSha256,
    ...(guard && { allows: (url) => guard.allows(url), pinned: guard.pinned }),
  };
}
