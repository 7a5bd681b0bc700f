import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Readable, Writable } from 'node:stream';
import { errorText } from '../../core';
import { isInsideSandbox, SANDBOX_DIR } from '../../lab';
import { UserError } from './user-error';
import { openBrowserPage } from './browser-page';
import { browserPipeFds } from './browser-pipe';
import { warn } from './terminal';

/** Longest wait for the browser's exit status after its pipe closed. Chosen; no measurement. */
const EXIT_GRACE_MS = 1000;

function findProgram(name: string): string | undefined {
  const found = spawnSync('sh', ['-c', 'command -v "$0"', name], { encoding: 'utf8' });
  return found.status === 0 ? found.stdout.trim() : undefined;
}

/** End of the browser's error output that is kept. */
const MAX_ERROR_CHARS = 4000;
/** Time between the signal that ends the browser and the one that kills it. Chosen; no measurement. */
const GRACE_MS = 3000;

const candidates = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/**
 * Returns the Chromium-family browser: `MULTIPATH_DASH_BROWSER`, else the first on the PATH.
 * @throws UserError if there is none.
 */
export function findBrowser(): string {
  const chosen = process.env['MULTIPATH_DASH_BROWSER'];
  for (const name of chosen === undefined ? candidates : [chosen]) {
    const found = findProgram(name);
    if (found !== undefined) return found;
  }
  throw new UserError(
    chosen === undefined
      ? 'no Chromium found: run `apt-get install chromium`, or set MULTIPATH_DASH_BROWSER to a Chromium-family browser'
      : `MULTIPATH_DASH_BROWSER=${chosen} is not a program`,
  );
}

export interface BrowserOptions {
  /** The page's address, which contains secrets. It must not be an argument: every user can read those. */
  url: string;
  /** An empty page of the same origin, opened first. */
  startUrl: string;
  headless: boolean;
  /** Environment that makes the browser's sockets MPTCP (LD_PRELOAD), or empty. */
  env: Record<string, string>;
  /** Base64 SHA-256 of a public key to trust beside the system's authorities. */
  trustedSpkiSha256?: string | undefined;
  /** A name that stands for this address alone. */
  pinned?: { host: string; address: string } | undefined;
  /** Decides about each request of the page. Default: all are sent. */
  allows?: (url: URL) => Promise<boolean>;
}

/** The end of a browser. */
export interface BrowserExit {
  /** It ended with status 0, as after its window was closed. */
  isOrderly: boolean;
  /** The status and the last of its error output, such as "ended with code 1". */
  how: string;
}

export interface Browser {
  /** Settles when the browser has ended. */
  exited: Promise<BrowserExit>;
  /** Settles when the page cannot be opened, or when its process crashes and the browser has no page left. */
  lost?: Promise<string>;
  /** Ends the browser if it still runs, and removes its profile. */
  close(): Promise<void>;
}

/** Flags for a browser that connects only to the stream's hosts, over TCP. */
export function playingFlags(
  options: Pick<BrowserOptions, 'trustedSpkiSha256' | 'pinned'>,
): string[] {
  const { pinned } = options;
  const address = pinned?.address.includes(':') === true ? `[${pinned.address}]` : pinned?.address;
  return [
    // QUIC would bypass TCP, and with it MPTCP.
    '--disable-quic',
    '--no-first-run',
    '--no-default-browser-check',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--disable-default-apps',
    '--disable-extensions',
    '--autoplay-policy=no-user-gesture-required',
    // A covered or headless window must not be throttled during playback.
    '--disable-background-timer-throttling',
    '--disable-backgrounding-occluded-windows',
    '--disable-renderer-backgrounding',
    ...(pinned ? [`--host-resolver-rules=MAP ${pinned.host} ${address}`] : []),
    ...(options.trustedSpkiSha256 === undefined
      ? []
      : [`--ignore-certificate-errors-spki-list=${options.trustedSpkiSha256}`]),
  ];
}

/** The command line of a browser that plays one page, without the page's address. */
export function browserFlags(
  options: Omit<BrowserOptions, 'env'>,
  profile: string,
  isRoot: boolean,
): string[] {
  return [
    `--user-data-dir=${profile}`,
    ...playingFlags(options),
    ...(options.headless ? ['--headless=new', '--disable-gpu', '--mute-audio'] : []),
    // Chromium cannot use its own sandbox as root, not even as the root of a user namespace.
    ...(isRoot ? ['--no-sandbox'] : []),
    // The page itself is opened through the pipe.
    '--remote-debugging-pipe',
    options.headless ? options.startUrl : `--app=${options.startUrl}`,
  ];
}

/** A Unix socket has at most 107 characters, and Chromium adds 44 to its folder's. */
const MAX_SOCKET_FOLDER_CHARS = 60;

/** The browser's socket lies in the profile, so that a killed browser leaves nothing behind. */
const socketFolder = (profile: string): { TMPDIR?: string } =>
  profile.length > MAX_SOCKET_FOLDER_CHARS ? {} : { TMPDIR: profile };

/** Starts a browser with a temporary profile on the player page. @throws UserError if there is none */
export function launchBrowser(options: BrowserOptions): Browser {
  const program = findBrowser();
  // A sandbox removes its folder even when it is killed.
  const base = isInsideSandbox() ? SANDBOX_DIR : os.tmpdir();
  const profile = mkdtempSync(path.join(base, 'multipath-dash-profile-'));
  const command = [program, ...browserFlags(options, profile, process.getuid?.() === 0)];
  // The kernel ends the browser with this process, however it ends.
  if (findProgram('setpriv') !== undefined) command.unshift('setpriv', '--pdeathsig', 'KILL');
  const child = spawn(command[0] ?? program, command.slice(1), {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
    env: { ...process.env, ...options.env, ...socketFolder(profile) },
    detached: true,
  });
  let errorOutput = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errorOutput = (errorOutput + text).slice(-MAX_ERROR_CHARS);
  });
  const exited = new Promise<BrowserExit>((resolve) => {
    child.once('error', ({ message }) =>
      resolve({ isOrderly: false, how: `could not start: ${message}` }),
    );
    child.once('exit', (code, signal) => {
      const how = `ended with ${signal ?? `code ${code ?? '?'}`}\n${errorOutput}`.trim();
      resolve({ isOrderly: code === 0, how });
    });
  });
  return {
    exited,
    lost: watchPage(child, options),
    async close() {
      await closeGroup(child, exited);
      await removeProfile(profile);
    },
  };
}

/** Opens the page and resolves with the reason if it fails. A browser that ended reports that elsewhere. */
async function watchPage(child: ChildProcess, { url, allows }: BrowserOptions): Promise<string> {
  const input = child.stdio[browserPipeFds.read];
  const output = child.stdio[browserPipeFds.write];
  if (!(input instanceof Writable) || !(output instanceof Readable)) {
    return 'has no debugging pipe';
  }
  const { opened, crashed } = openBrowserPage(input, output, url, allows);
  try {
    await opened;
  } catch (error) {
    const reason = errorText(error);
    await hasExited(child);
    return `did not open the player page (${reason})`;
  }
  return crashed;
}

/** Waits for a browser that is ending: its exit explains more than the closed pipe. */
async function hasExited(child: ChildProcess): Promise<void> {
  const limit = new Promise<void>((resolve) => {
    setTimeout(resolve, EXIT_GRACE_MS).unref();
  });
  const gone = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
  });
  if (child.exitCode === null && child.signalCode === null) await Promise.race([gone, limit]);
}

/** Children of the browser may still write while they end. */
async function removeProfile(profile: string): Promise<void> {
  try {
    await rm(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  } catch (error) {
    warn(`${profile} could not be removed (${errorText(error)})`);
  }
}

/** Ends the browser and its children (its own process group), with SIGTERM first. */
async function closeGroup(child: ChildProcess, exited: Promise<BrowserExit>): Promise<void> {
  const { pid } = child;
  if (pid === undefined) return;
  const signal = (name: NodeJS.Signals): void => {
    try {
      process.kill(-pid, name);
    } catch {
      // The process has ended already.
    }
  };
  signal('SIGTERM');
  const timer = setTimeout(() => signal('SIGKILL'), GRACE_MS);
  await exited;
  clearTimeout(timer);
  signal('SIGKILL');
}
