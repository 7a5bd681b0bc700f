import { accessSync, constants, existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { createSummary, type LogEvent, type SessionSummary } from '../qoe';
import { createLinuxFeed, loadNative, openJsonlLog, startAgent } from '../transport';
import { launchBrowser } from './browser';
import { CliError } from './cli-error';
import { LiveState } from './live-state';
import { LiveView } from './live-view';
import { packageRoot } from './package-root';

/** What to play and how; see `multipath-dash play --help`. */
export interface SessionOptions {
  /** MPD. */
  url: string;
  abr: string;
  /** Correct dash.js's throughput with what the paths carry. */
  correction: boolean;
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
}

export interface SessionResult {
  summary: SessionSummary;
  logFile: string;
  /** What ended playback too early, if anything did. */
  failure?: string | undefined;
}

/** From the start of the browser to the first frame; a slow network is given this long. */
const startupLimitMs = 60_000;
const drawEveryMs = 1000;

type Ending = { reason: 'time-up' | 'ended' | 'closed' | 'interrupted' } | { failure: string };

/** Plays one stream in a browser with the kernel's view of its paths, and logs it. */
export async function runSession(options: SessionOptions): Promise<SessionResult> {
  const logFile = path.join(options.outDir, 'session.jsonl');
  mkdirForRun(options.outDir, logFile);
  const live = new LiveState();
  const summary = createSummary();
  const view = new LiveView(process.stderr, live);
  const started = performance.now();
  let end: (ending: Ending) => void = () => {};
  const ended = new Promise<Ending>((resolve) => {
    end = resolve;
  });
  let timer = setTimeout(
    () => end({ failure: `no frame was shown within ${startupLimitMs / 1000} s` }),
    startupLimitMs,
  );

  const onEvent = (event: LogEvent, session: number): void => {
    if (session > 1) return;
    summary.add(event);
    live.observe(event);
    options.onEvent?.(event);
    if (event.type === 'startup') {
      clearTimeout(timer);
      if (options.seconds !== undefined) {
        timer = setTimeout(() => end({ reason: 'time-up' }), options.seconds * 1000);
      }
    } else if (event.type === 'error' && event.fatal) {
      end({ failure: event.message });
    } else if (event.type === 'end') {
      if (event.reason === 'ended') end({ reason: 'ended' });
      else if (event.reason === 'failed') end({ failure: live.lastError || 'playback failed' });
    }
  };

  const agent = await startAgent({
    pageDir: path.join(packageRoot(), 'dist/page'),
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
  const browser = launchBrowser({
    url: agent.pageUrl({
      mpd: options.url,
      abr: options.abr,
      correction: options.correction ? '1' : '0',
      autoplay: '1',
    }),
    headless: options.headless,
    env: options.env,
    trustedSpkiSha256: options.trustedSpkiSha256,
  });
  void browser.exited.then((how) =>
    end(options.headless ? { failure: `the browser ${how}` } : { reason: 'closed' }),
  );
  const onAbort = (): void => end({ reason: 'interrupted' });
  options.signal.addEventListener('abort', onAbort);
  const drawing = setInterval(() => view.draw(performance.now() - started), drawEveryMs);
  try {
    const ending = options.signal.aborted ? { reason: 'interrupted' as const } : await ended;
    await agent.close('failure' in ending ? 'failed' : ending.reason);
    return {
      summary: { ...summary.finish(), logFile },
      logFile,
      failure: 'failure' in ending ? ending.failure : undefined,
    };
  } finally {
    clearTimeout(timer);
    clearInterval(drawing);
    options.signal.removeEventListener('abort', onAbort);
    await browser.close();
    await agent.close('interrupted');
  }
}

function mkdirForRun(folder: string, logFile: string): void {
  if (existsSync(logFile)) {
    throw new CliError(
      `${logFile} is the log of an earlier session: choose another folder with --out`,
    );
  }
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CliError(`${folder} cannot be written (${reason}): choose another with --out`);
  }
}
