import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { isInsideSandbox, SANDBOX_DIR } from '../lab';
import { CliError } from './cli-error';

function findProgram(name: string): string | undefined {
  const found = spawnSync('sh', ['-c', 'command -v "$0"', name], { encoding: 'utf8' });
  return found.status === 0 ? found.stdout.trim() : undefined;
}

const candidates = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/**
 * The Chromium-family browser to play with: `MULTIPATH_DASH_BROWSER`, else the first on the PATH.
 * @throws CliError when there is none.
 */
export function findBrowser(): string {
  const chosen = process.env['MULTIPATH_DASH_BROWSER'];
  for (const name of chosen === undefined ? candidates : [chosen]) {
    const found = findProgram(name);
    if (found !== undefined) return found;
  }
  throw new CliError(
    chosen === undefined
      ? 'no Chromium found: run `apt-get install chromium`, or set MULTIPATH_DASH_BROWSER to a Chromium-family browser'
      : `MULTIPATH_DASH_BROWSER=${chosen} is not a program`,
  );
}

export interface BrowserOptions {
  url: string;
  headless: boolean;
  /** Environment that makes the browser's sockets MPTCP (LD_PRELOAD), or empty. */
  env: Record<string, string>;
  /** Base64 SHA-256 of a public key to trust beside the system's authorities. */
  trustedSpkiSha256?: string | undefined;
}

export interface Browser {
  /** Settles when the browser has ended; the text says how, with the last of its error output. */
  exited: Promise<string>;
  /** Ends the browser, if it still runs, and removes its profile. */
  close(): Promise<void>;
}

/** Flags of a browser that talks to the stream and to nobody else, and to the stream over TCP. */
export function playingFlags(options: Pick<BrowserOptions, 'trustedSpkiSha256'>): string[] {
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
    // A covered or headless window must not be throttled: it plays.
    '--disable-background-timer-throttling',
    '--disable-backgrounding-occluded-windows',
    '--disable-renderer-backgrounding',
    ...(options.trustedSpkiSha256 === undefined
      ? []
      : [`--ignore-certificate-errors-spki-list=${options.trustedSpkiSha256}`]),
  ];
}

/** The whole command line of a browser that plays one page. */
export function browserFlags(
  options: Omit<BrowserOptions, 'env'>,
  profile: string,
  isRoot: boolean,
): string[] {
  return [
    `--user-data-dir=${profile}`,
    ...playingFlags(options),
    ...(options.headless ? ['--headless=new', '--disable-gpu', '--mute-audio'] : []),
    // Chromium refuses its own sandbox to root, also to the root of a user namespace.
    ...(isRoot ? ['--no-sandbox'] : []),
    options.headless ? options.url : `--app=${options.url}`,
  ];
}

/** Starts a browser with a throw-away profile on the player page. @throws CliError when there is none */
export function launchBrowser(options: BrowserOptions): Browser {
  const program = findBrowser();
  // A sandbox takes its folder along even when it is killed.
  const base = isInsideSandbox() ? SANDBOX_DIR : os.tmpdir();
  const profile = mkdtempSync(path.join(base, 'multipath-dash-profile-'));
  const command = [program, ...browserFlags(options, profile, process.getuid?.() === 0)];
  // The kernel ends the browser with us, whatever ends us.
  if (findProgram('setpriv') !== undefined) command.unshift('setpriv', '--pdeathsig', 'KILL');
  const child = spawn(command[0] ?? program, command.slice(1), {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, ...options.env },
    detached: true,
  });
  let errorOutput = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errorOutput = (errorOutput + text).slice(-4000);
  });
  const exited = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(`could not start: ${error.message}`));
    child.once('exit', (code, signal) =>
      resolve(`ended with ${signal ?? `code ${code ?? '?'}`}\n${errorOutput}`.trim()),
    );
  });
  return {
    exited,
    async close() {
      await closeGroup(child, exited);
      await removeProfile(profile);
    },
  };
}

/** Children of the browser may still write while they die. */
async function removeProfile(profile: string): Promise<void> {
  try {
    await rm(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    process.stderr.write(`multipath-dash: ${profile} could not be removed (${reason})\n`);
  }
}

/** Ends the browser and its children (its own process group), first politely. */
async function closeGroup(child: ChildProcess, exited: Promise<string>): Promise<void> {
  const { pid } = child;
  if (pid === undefined) return;
  const signal = (name: NodeJS.Signals): void => {
    try {
      process.kill(-pid, name);
    } catch {
      // Already gone.
    }
  };
  signal('SIGTERM');
  const timer = setTimeout(() => signal('SIGKILL'), 3000);
  await exited;
  clearTimeout(timer);
  signal('SIGKILL');
}
