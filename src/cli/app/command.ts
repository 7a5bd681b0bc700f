import { ABR_NAMES, type MediaChoice } from '../../core';
import { Option, type Command } from 'commander';
import { planLaunch, startMarked } from '../../app/main/mptcp-launch';
import { systemMptcpProbe } from '../../kernel';
import { UserError, findElectron, hasDisplay, packageRoot, print } from '../../runner/host';
import type { DecisionOptions } from '../../runner/session';
import { addAppOptions, type AppOptions } from '../../app/main/args';
import { ABR_HELP, checkCarriage, readDecision, readMedia } from '../../runner/options';

export type ElectronOptions = Partial<
  Pick<AppOptions, 'abr' | 'logDir' | 'logFormat' | 'seconds' | 'json' | 'carriage' | 'correction'>
> & {
  mptcp: boolean;
  /** Bytes. */
  keepLogs?: number | undefined;
  decision?: DecisionOptions;
  media?: MediaChoice | undefined;
  /** Switches for Chromium, before the app. */
  switches?: readonly string[];
};

/** Path decision settings, in the app's form. */
function decisionArguments(correction: boolean, decision: DecisionOptions): string[] {
  const { policy, policyConfig, networks = [], bufferTargetMs } = decision;
  return [
    ...(correction ? [] : ['--no-correction']),
    ...(policy === undefined ? [] : ['--policy', policy]),
    ...(policyConfig === undefined ? [] : [`--policy-config=${JSON.stringify(policyConfig)}`]),
    ...networks.flatMap(({ network, budgetBytes }) => [
      `--metered=${network}${budgetBytes === undefined ? '' : `=${budgetBytes}B`}`,
    ]),
    ...(bufferTargetMs === undefined ? [] : ['--buffer', String(bufferTargetMs / 1000)]),
    ...(decision.pathControl === false ? ['--no-path-control'] : []),
    ...(decision.foreignEndpoints === undefined
      ? []
      : ['--foreign-endpoints', decision.foreignEndpoints]),
  ];
}

/** Tracks and keys, in the app's form. */
function mediaArguments({ keys = {}, ...tracks }: MediaChoice): string[] {
  const { audioLanguage, audioRole, textLanguage, textRole } = tracks;
  const given = {
    '--audio-language': audioLanguage,
    '--audio-role': audioRole,
    '--text-language': textLanguage,
    '--text-role': textRole,
  };
  return [
    ...Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [name, value])),
    ...Object.entries(keys).flatMap((pair) => ['--key', pair.join(':')]),
  ];
}

const sizeText = (bytes: number): string => (bytes === Infinity ? 'all' : `${bytes}B`);

/** Electron's command line: switches for Chromium, the app, then the app's arguments. */
export function electronArguments(
  root: string,
  source: string | undefined,
  options: ElectronOptions,
  isRoot: boolean,
): string[] {
  return [
    ...(isRoot ? ['--no-sandbox'] : []),
    '--disable-quic',
    // Chromium's own warnings (no session bus, no sound card) do not concern playback.
    '--log-level=3',
    ...(options.switches ?? []),
    root,
    ...(source === undefined ? [] : [source]),
    ...(options.abr === undefined ? [] : ['--abr', options.abr]),
    ...(options.logDir === undefined ? [] : ['--log-dir', options.logDir]),
    ...(options.logFormat === undefined ? [] : ['--log-format', options.logFormat]),
    ...(options.keepLogs === undefined ? [] : ['--keep-logs', sizeText(options.keepLogs)]),
    ...(options.seconds === undefined ? [] : ['--seconds', String(options.seconds)]),
    ...(options.json === undefined ? [] : ['--json', options.json]),
    ...(options.mptcp ? [] : ['--no-mptcp']),
    ...(options.carriage === undefined ? [] : ['--carriage', options.carriage]),
    ...mediaArguments(options.media ?? {}),
    ...decisionArguments(options.correction ?? true, options.decision ?? {}),
  ];
}

/** @throws UserError where no window can be shown */
export function requireDisplay(): void {
  if (hasDisplay()) return;
  throw new UserError(
    'no display (DISPLAY and WAYLAND_DISPLAY are not set): run under `xvfb-run -a`, or use `multipath-dash play --headless URL`',
  );
}

/** Runs the desktop app to its end. Resolves with its exit status. */
export function runElectron(source: string | undefined, options: ElectronOptions): Promise<number> {
  requireDisplay();
  const root = packageRoot();
  const program = findElectron(process.env, root, process.cwd());
  const isRoot = process.getuid?.() === 0;
  if (isRoot) {
    print(
      process.stderr,
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
    .addOption(new Option('--abr <name>', ABR_HELP).choices(ABR_NAMES));
  addAppOptions(command).action(async (source: string | undefined, options: AppOptions) => {
    checkCarriage(options);
    const { foreignEndpoints } = options;
    process.exitCode = await runElectron(source, {
      ...options,
      decision: { ...readDecision(options), foreignEndpoints },
      media: readMedia(options),
    });
  });
}
