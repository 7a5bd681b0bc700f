import { appendFileSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { ElectronApplication, Page } from 'playwright-core';
import { isInsideSandbox, SANDBOX_DIR } from '../../lab';
import type { LogEvent } from '../../session-log';
import { monotonicClock } from '../../kernel';
import { findElectron } from '../host/electron-runtime';
import { packageRoot } from '../host/package-root';
import { watchForEnd, type SessionEnding } from '../session/session-ending';
import { followLog } from './follow-log';
import { loadPlaywright, logPage } from './playwright-browser';

/** Time limit for Electron's start on a busy machine. Chosen; no measurement. */
const LAUNCH_TIMEOUT_MS = 60_000;
const LOOK_MS = 100;

export interface ElectronTrial {
  url: string;
  abr: string;
  playMs: number;
  silenceMs: number;
  trialDir: string;
  env: Record<string, string>;
  trustedSpkiSha256: string | undefined;
  /** The app's own choice would differ from the player's. */
  carriage: 'mptcp' | 'ranges';
  /** PEM file of an authority to trust. */
  caFile: string | undefined;
  signal: AbortSignal;
  fault: Promise<string>;
  /** Called with the app's page, before its session begins. */
  onPage: (page: Page) => void;
  onLoad: () => void;
  onEvent: ((event: LogEvent) => void) | undefined;
}

/** Plays one trial in the desktop app. The app's session log becomes the trial's. */
export async function playTrialInElectron(
  options: ElectronTrial,
  /** Replaces the desktop app in tests. */
  start: typeof launch = launch,
): Promise<SessionEnding> {
  const logDir = path.join(options.trialDir, 'app');
  const profile = path.join(isInsideSandbox() ? SANDBOX_DIR : logDir, 'electron-profile');
  mkdirSync(logDir, { recursive: true });
  const end = watchForEnd(monotonicClock, options.playMs, options.silenceMs);
  const onAbort = (): void => end.end({ reason: 'interrupted' });
  options.signal.addEventListener('abort', onAbort);
  if (options.signal.aborted) onAbort();
  void options.fault.then((failure) => end.end({ failure }));
  let app: ElectronApplication | undefined;
  let following: { stop(): void } | undefined;
  try {
    app = await start(options, logDir, profile);
    app.once('close', () => end.end({ failure: 'the desktop app ended by itself' }));
    const page = await app.firstWindow();
    options.onPage(page);
    const log = logPage(page, path.join(options.trialDir, 'browser.log'));
    log('Electron');
    page.once('crash', () => end.end({ failure: 'the desktop app lost its page: it crashed' }));
    following = follow(logDir, (event) => {
      if (event.type === 'config') options.onLoad();
      end.observe(event);
      options.onEvent?.(event);
    });
    return await end.ended;
  } finally {
    following?.stop();
    end.close();
    options.signal.removeEventListener('abort', onAbort);
    await app?.close();
    takeLog(logDir, options.trialDir);
    rmSync(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  }
}

async function launch(
  options: ElectronTrial,
  logDir: string,
  profile: string,
): Promise<ElectronApplication> {
  const root = packageRoot();
  const wrapped = options.env['LD_PRELOAD'] !== undefined;
  const { _electron } = await loadPlaywright();
  return _electron.launch({
    executablePath: findElectron(process.env, root, process.cwd()),
    args: [
      // Chromium cannot use its own sandbox as root, not even as the root of a user namespace.
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      '--disable-gpu',
      '--mute-audio',
      ...(options.trustedSpkiSha256 === undefined
        ? []
        : [`--ignore-certificate-errors-spki-list=${options.trustedSpkiSha256}`]),
      `--user-data-dir=${profile}`,
      root,
      options.url,
      ...['--abr', options.abr, '--log-dir', logDir, '--log-format', 'plain'],
      ...(wrapped ? [] : ['--no-mptcp']),
      ...['--carriage', options.carriage],
    ],
    env: {
      ...definedEnv(),
      ...options.env,
      ...(options.caFile === undefined ? {} : { NODE_EXTRA_CA_CERTS: options.caFile }),
    },
    timeout: LAUNCH_TIMEOUT_MS,
  });
}

function definedEnv(): Record<string, string> {
  const defined = Object.entries(process.env).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  return Object.fromEntries(defined);
}

const sessionsIn = (folder: string): string[] =>
  readdirSync(folder).filter((name) => name.endsWith('.jsonl'));

/** Emits every event of the app's first session, once there is one. */
function follow(logDir: string, onEvent: (event: LogEvent) => void): { stop(): void } {
  let log: ReturnType<typeof followLog> | undefined;
  const timer = setInterval(() => {
    const [name] = sessionsIn(logDir).sort();
    if (log === undefined && name !== undefined) log = followLog(path.join(logDir, name));
    for (const event of log?.read() ?? []) onEvent(event);
  }, LOOK_MS);
  return {
    stop() {
      clearInterval(timer);
      log?.close();
    },
  };
}

function takeLog(logDir: string, trialDir: string): void {
  const [name] = sessionsIn(logDir).sort();
  if (name === undefined) {
    appendFileSync(path.join(trialDir, 'browser.log'), 'the desktop app left no session log\n');
  } else {
    renameSync(path.join(logDir, name), path.join(trialDir, 'session.jsonl'));
  }
  rmSync(logDir, { recursive: true, force: true });
}
