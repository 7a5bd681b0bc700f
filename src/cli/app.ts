import { Option, type Command } from 'commander';
import { planLaunch, startMarked } from '../app/main/mptcp-launch';
import { systemMptcpProbe } from '../transport';
import { CliError } from './cli-error';
import { findElectron } from './electron-runtime';
import type { DecisionOptions } from './decision';
import {
  abrNames,
  addDecidingOptions,
  hasDisplay,
  readDecision,
  readSeconds,
  type DecidingOptions,
} from './options';
import { packageRoot } from './package-root';

export interface AppOptions {
  abr?: string;
  logDir?: string;
  seconds?: number;
  json?: string;
  mptcp: boolean;
  /** Default true. */
  correction?: boolean;
  decision?: DecisionOptions;
  /** Switches for Chromium, before the app. */
  switches?: readonly string[];
}

/** How to decide, as the app reads it. */
function decisionArguments(correction: boolean, decision: DecisionOptions): string[] {
  const { policy, policyConfig, networks = [], bufferTargetMs } = decision;
  return [
    ...(correction ? [] : ['--no-correction']),
    ...(policy === undefined ? [] : ['--policy', policy]),
    ...(policyConfig === undefined ? [] : [`--policy-config=${JSON.stringify(policyConfig)}`]),
    ...networks.flatMap(({ network, budgetBytes }) => [
      `--metered=${network}${budgetBytes === undefined ? '' : `=${budgetBytes}`}`,
    ]),
    ...(bufferTargetMs === undefined ? [] : ['--buffer', String(bufferTargetMs / 1000)]),
    ...(decision.pathControl === false ? ['--no-path-control'] : []),
    ...(decision.foreignEndpoints === undefined
      ? []
      : ['--foreign-endpoints', decision.foreignEndpoints]),
  ];
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
    ...decisionArguments(options.correction ?? true, options.decision ?? {}),
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
  const plan = planLaunch(options.mptcp, process.env, systemMptcpProbe);
  const ldPreload = plan.action === 'relaunch' ? plan.ldPreload : process.env['LD_PRELOAD'];
  const args = electronArguments(root, source, options, isRoot);
  return new Promise((resolve) => startMarked({ program, args, ldPreload, onExit: resolve }));
}

/** `multipath-dash app [SOURCE]`. */
export function addAppCommand(program: Command): void {
  const command = program
    .command('app')
    .description('open the desktop player')
    .argument('[source]', 'URL or file of an MPD to play')
    .addOption(new Option('--abr <name>', 'adaptation rule to start with').choices(abrNames));
  addDecidingOptions(command)
    .option('--log-dir <dir>', 'where session logs go')
    .option('--seconds <n>', 'quit after this many seconds', (text: string) => readSeconds(text))
    .option('--json <file>', 'write a summary of the session when it ends')
    .option('--no-mptcp', 'play over plain TCP')
    .action(
      async (
        source: string | undefined,
        options: Omit<AppOptions, 'correction' | 'decision'> & DecidingOptions,
      ) => {
        process.exitCode = await runElectron(source, {
          ...options,
          decision: readDecision(options),
        });
      },
    );
}
