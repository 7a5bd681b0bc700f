import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { _electron, type ElectronApplication, type Page } from '@playwright/test';
import { findElectron } from '../../src/runner/host';

/** The checkout. */
export const root = path.resolve(import.meta.dirname, '../..');

/** The Electron binary to test: the one that `multipath-dash app` would start. */
export const electronBinary = (): string => findElectron(process.env, root, root);

export interface LaunchOptions {
  /** Arguments of the app: stream and options. */
  args?: string[];
  /** Variables added to this process's environment; `undefined` removes one. */
  env?: Record<string, string | undefined>;
  /** Folder of the logs; default one that lives as long as the app. */
  logDir?: string;
  /**
   * Chromium's and the app's own folder, to keep over several starts; default one that lives as long as the
   * app.
   */
  profile?: string;
}

export interface LaunchedApp {
  electron: ElectronApplication;
  page: Page;
  logDir: string;
  /** Ends the app in order and removes its files. Idempotent. */
  close(): Promise<void>;
}

/**
 * Starts the built app under Playwright, without the app's own restart. With `LD_PRELOAD` of libmptcpwrap in
 * `env` it uses MPTCP, otherwise TCP (`--no-mptcp`).
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
  let errorOutput = '';
  electron.process().stderr?.on('data', (text: Buffer) => {
    errorOutput += text.toString();
  });
  const close = async (): Promise<void> => {
    if (closed) return;
    closed = true;
    await electron.close();
    await rm(state, { recursive: true, force: true, maxRetries: 5 });
    const rejection = errorOutput
      .split('\n')
      .find((line) => line.includes('UnhandledPromiseRejection'));
    if (rejection !== undefined) throw new Error(`The app's main process: ${rejection}`);
  };
  try {
    const page = await electron.firstWindow();
    return { electron, page, logDir, close };
  } catch (error) {
    await close();
    throw error;
  }
}
