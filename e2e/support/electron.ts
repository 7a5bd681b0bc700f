import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { _electron, type ElectronApplication, type Page } from '@playwright/test';
import { findElectron } from '../../src/cli/electron-runtime';

/** The checkout. */
export const root = path.resolve(import.meta.dirname, '../..');

/** The Electron binary to test with: the one `multipath-dash app` would start. */
export const electronBinary = (): string => findElectron(process.env, root, root);

export interface LaunchOptions {
  /** Arguments of the app: stream and options. */
  args?: string[];
  /** On top of this process's environment; `undefined` takes a variable away. */
  env?: Record<string, string | undefined>;
  /** Where logs go; default a folder that lives as long as the app. */
  logDir?: string;
  /** Chromium's and the app's own folder, to be kept over several starts; default one that lives as long as the app. */
  profile?: string;
}

export interface LaunchedApp {
  electron: ElectronApplication;
  page: Page;
  logDir: string;
  /** Ends the app in order and removes what it left. Idempotent. */
  close(): Promise<void>;
}

/**
 * Starts the built app under Playwright. The app's own second start is left out: give it `LD_PRELOAD` with
 * libmptcpwrap in `env` to have it speak MPTCP, else it plays over TCP (`--no-mptcp`).
 */
export async function launchApp(options: LaunchOptions = {}): Promise<LaunchedApp> {
  const state = await mkdtemp(path.join(os.tmpdir(), 'multipath-dash-e2e-'));
  const logDir = options.logDir ?? path.join(state, 'sessions');
  const env = Object.fromEntries(
    Object.entries({ ...process.env, ...options.env }).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    ),
  );
  const wrapped = env['LD_PRELOAD']?.includes('libmptcpwrap') === true;
  const electron = await _electron.launch({
    executablePath: electronBinary(),
    args: [
      // Chromium refuses its sandbox to root; as another user the tests run with it.
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      '--disable-gpu',
      `--user-data-dir=${options.profile ?? path.join(state, 'profile')}`,
      root,
      ...(options.args ?? []),
      ...(wrapped ? [] : ['--no-mptcp']),
      '--log-dir',
      logDir,
    ],
    cwd: root,
    env,
  });
  let closed = false;
  const close = async (): Promise<void> => {
    if (closed) return;
    closed = true;
    await electron.close();
    await rm(state, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const page = await electron.firstWindow();
    return { electron, page, logDir, close };
  } catch (error) {
    await close();
    throw error;
  }
}
