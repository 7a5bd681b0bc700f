import { accessSync, constants, existsSync } from 'node:fs';
import path from 'node:path';
import { createSummary, type LogEvent, type SessionSummary } from '../qoe';
import {
  createLinuxFeed,
  loadNative,
  makeFolder,
  monotonicClock,
  openJsonlLog,
  startAgent,
  type Agent,
} from '../transport';
import { launchBrowser, type Browser, type BrowserOptions } from './browser';
import { CliError } from './cli-error';
import { decisionParameters, openSessionControl, type DecisionOptions } from './decision';
import { LiveState } from './live-state';
import { LiveView } from './live-view';
import { packageRoot } from './package-root';
import { watchForEnd } from './session-ending';

/** What to play and how; see `multipath-dash play --help`. */
export interface SessionOptions {
  /** MPD. */
  url: string;
  abr: string;
  /** Correct dash.js's throughput with what the paths carry. */
  correction: boolean;
  /** How paths are decided about; default: the player's own choice, with control of the paths where it is to be had. */
  decision?: DecisionOptions;
  headless: boolean;
  /** Playing time after the first frame; undefined plays until the window closes or the stream ends. */
  seconds?: number | undefined;
  /** Folder of the run. */
  outDir: string;
  /** Environment of the browser, such as LD_PRELOAD of mptcpize. */
  env: Record<string, string>;
  trustedSpkiSha256?: string | undefined;
  /** Goes into the log's configuration line. */
  settings: Record<string, unknown>;
  /** Ends the session in order. */
  signal: AbortSignal;
  onEvent?: (event: LogEvent) => void;
  /** Starts what shows the page; default: the machine's browser, for a person to watch. */
  launch?: (options: BrowserOptions) => Browser | Promise<Browser>;
  /** Folder of the page below `dist`; default `page`, our player. */
  page?: 'page' | 'baseline/shaka';
  /** Draws the paths on the terminal while it plays; default true. */
  liveView?: boolean;
  /** Fails a session whose page tells nothing of its player for so long after the first frame; default never. */
  silenceMs?: number;
  /** Settles with what broke around the session, which fails it. */
  fault?: Promise<string>;
}

export interface SessionResult {
  summary: SessionSummary;
  logFile: string;
  /** What ended playback too early, if anything did. */
  failure?: string | undefined;
}

const drawEveryMs = 1000;

/** Plays one stream in a browser with the kernel's view of its paths, and logs it. */
export async function runSession(options: SessionOptions): Promise<SessionResult> {
  const logFile = path.join(options.outDir, 'session.jsonl');
  mkdirForRun(options.outDir, logFile);
  const live = new LiveState();
  const summary = createSummary();
  const view = new LiveView(process.stderr, live);
  const started = performance.now();
  const end = watchForEnd(
    monotonicClock,
    options.seconds === undefined ? undefined : options.seconds * 1000,
    options.silenceMs,
  );
  const onEvent = (event: LogEvent, session: number): void => {
    // A page that was loaded again is another session, with a log of its own.
    if (session > 1) return;
    summary.add(event);
    live.observe(event);
    options.onEvent?.(event);
    end.observe(event);
  };

  const decision = options.decision ?? {};
  const isOurs = (options.page ?? 'page') === 'page';
  const pathControl = isOurs
    ? await openSessionControl(options.abr, options.correction, decision)
    : undefined;
  const agent = await startAgent({
    pathControl,
    pageDir: path.join(packageRoot(), 'dist', options.page ?? 'page'),
    createTransport: () => createLinuxFeed({ loadNative }),
    openLog: (session) => {
      const file = session === 1 ? logFile : path.join(options.outDir, `session-${session}.jsonl`);
      const sink = openJsonlLog(file, {
        onError: (error) => process.stderr.write(`multipath-dash: ${error.message}\n`),
      });
      return {
        write: (event) =>
          sink.write(
            event.type === 'config'
              ? { ...event, settings: { ...options.settings, ...event.settings } }
              : event,
          ),
        close: () => sink.close(),
      };
    },
    onEvent,
  });
  const onAbort = (): void => end.end({ reason: 'interrupted' });
  options.signal.addEventListener('abort', onAbort);
  void options.fault?.then((failure) => end.end({ failure }));
  const draw = (): void => view.draw(performance.now() - started);
  const drawing = options.liveView === false ? undefined : setInterval(draw, drawEveryMs);
  let browser: Browser | undefined;
  try {
    if (options.signal.aborted) onAbort();
    else browser = await (options.launch ?? launchBrowser)(browserOptions(options, agent));
    void browser?.exited.then((how) =>
      end.end(options.headless ? { failure: `the browser ${how}` } : { reason: 'closed' }),
    );
    const ending = await end.ended;
    await agent.close('failure' in ending ? 'failed' : ending.reason);
    return {
      summary: { ...summary.finish(), logFile },
      logFile,
      failure: 'failure' in ending ? ending.failure : undefined,
    };
  } finally {
    end.close();
    clearInterval(drawing);
    options.signal.removeEventListener('abort', onAbort);
    await browser?.close();
    await agent.close('interrupted');
    await pathControl?.close();
  }
}

function browserOptions(options: SessionOptions, agent: Agent): BrowserOptions {
  return {
    url: agent.pageUrl({
      mpd: options.url,
      abr: options.abr,
      correction: options.correction ? '1' : '0',
      autoplay: '1',
      ...decisionParameters(options.decision ?? {}),
    }),
    headless: options.headless,
    env: options.env,
    trustedSpkiSha256: options.trustedSpkiSha256,
  };
}

function mkdirForRun(folder: string, logFile: string): void {
  if (existsSync(logFile)) {
    throw new CliError(
      `${logFile} is the log of an earlier session: choose another folder with --out`,
    );
  }
  try {
    makeFolder(folder);
    accessSync(folder, constants.W_OK);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CliError(`${folder} cannot be written (${reason}): choose another with --out`);
  }
}
