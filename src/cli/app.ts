import { existsSync, readdirSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Option, type Command } from 'commander';
import { planLaunch, startMarked, systemProbe } from '../app/main/mptcp-launch';
import { CliError } from './cli-error';
import { abrNames, hasDisplay, positiveNumber } from './options';
import { packageRoot } from './package-root';

export interface AppOptions {
  abr?: string;
  logDir?: string;
  seconds?: number;
  json?: string;
  mptcp: boolean;
  /** Switches for Chromium, before the app. */
  switches?: readonly string[];
}

const howToGetElectron =
  'run `npx install-electron` in the checkout, or set ELECTRON_OVERRIDE_DIST_PATH to a folder with an electron binary';

/** Newest first, by number: 45.4.1 is newer than 9.0.0. */
function versionsIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder);
  return names.sort((a, b) => b.localeCompare(a, 'en', { numeric: true }));
}

/**
 * The Electron to run: `ELECTRON_OVERRIDE_DIST_PATH`, npm's download in the package or the current folder,
 * the user's cache.
 * @throws CliError when there is none, saying how to get one
 */
export function findElectron(env: NodeJS.ProcessEnv, root: string, cwd: string): string {
  const override = env['ELECTRON_OVERRIDE_DIST_PATH'];
  if (override) {
    const file = path.join(override, 'electron');
    if (existsSync(file)) return file;
    throw new CliError(`ELECTRON_OVERRIDE_DIST_PATH=${override}: no electron binary in it`);
  }
  const cache = path.join(
    env['XDG_CACHE_HOME'] ?? path.join(env['HOME'] ?? os.homedir(), '.cache'),
    'electron-runtime',
  );
  const folders = [
    path.join(root, 'node_modules/electron/dist'),
    path.join(cwd, 'node_modules/electron/dist'),
    ...versionsIn(cache).map((version) => path.join(cache, version)),
  ];
  const found = folders
    .map((folder) => path.join(folder, 'electron'))
    .find((file) => existsSync(file));
  if (found === undefined) throw new CliError(`no Electron runtime found: ${howToGetElectron}`);
  return found;
}

/** Electron's command line: switches for Chromium, the app, then what is for the app. */
export function electronArguments(
  root: string,
  source: string | undefined,
  options: AppOptions,
  isRoot: boolean,
): string[] {
  return [
    ...(isRoot ? ['--no-sandbox'] : []),
    '--disable-quic',
    // Chromium's own complaints (no session bus, no sound card) are not about playback.
    '--log-level=3',
    ...(options.switches ?? []),
    root,
    ...(source === undefined ? [] : [source]),
    ...(options.abr === undefined ? [] : ['--abr', options.abr]),
    ...(options.logDir === undefined ? [] : ['--log-dir', options.logDir]),
    ...(options.seconds === undefined ? [] : ['--seconds', String(options.seconds)]),
    ...(options.json === undefined ? [] : ['--json', options.json]),
    ...(options.mptcp ? [] : ['--no-mptcp']),
  ];
}

/** Runs the desktop app to its end; resolves to its exit status. */
export function runElectron(source: string | undefined, options: AppOptions): Promise<number> {
  if (!hasDisplay()) {
    throw new CliError(
      'no display (DISPLAY and WAYLAND_DISPLAY are not set): run under `xvfb-run -a`, or use `multipath-dash play --headless URL`',
    );
  }
  const root = packageRoot();
  const program = findElectron(process.env, root, process.cwd());
  const isRoot = process.getuid?.() === 0;
  if (isRoot) {
    process.stderr.write(
      "multipath-dash: running as root, so Chromium's sandbox is off (--no-sandbox); prefer an ordinary user\n",
    );
  }
  const plan = planLaunch(options.mptcp, process.env, systemProbe);
  const ldPreload = plan.action === 'relaunch' ? plan.ldPreload : process.env['LD_PRELOAD'];
  const args = electronArguments(root, source, options, isRoot);
  return new Promise((resolve) => startMarked({ program, args, ldPreload, onExit: resolve }));
}

/** `multipath-dash app [SOURCE]`. */
export function addAppCommand(program: Command): void {
  program
    .command('app')
    .description('open the desktop player')
    .argument('[source]', 'URL or file of an MPD to play')
    .addOption(new Option('--abr <name>', 'adaptation rule to start with').choices(abrNames))
    .option('--log-dir <dir>', 'where session logs go')
    .option('--seconds <n>', 'quit after this many seconds', positiveNumber)
    .option('--json <file>', 'write a summary of the session when it ends')
    .option('--no-mptcp', 'play over plain TCP')
    .action(async (source: string | undefined, options: AppOptions) => {
      process.exitCode = await runElectron(source, options);
    });
}
