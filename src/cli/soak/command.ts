import { InvalidArgumentError, Option, type Command } from 'commander';
import path from 'node:path';
import { enterSandbox, guardSandbox, isInsideSandbox, labRefusal } from '../../lab';
import {
  checkJsonFile,
  defaultRunDir,
  OUT_DIR_VARIABLE,
  forTerminal,
  INTERRUPTED_STATUS,
  interruptible,
  playedMachineFacts,
  print,
  unlessInterrupted,
  UserError,
  writeJson,
} from '../../runner/host';
import {
  exceeded,
  runSoak,
  soakFilm,
  isUnjudged,
  soakOutcome,
  soakStory,
  soakTable,
  type SoakSample,
} from '../../runner/soak';
import { formatBytes } from '../../core';
import { readQuantity } from '../../scenario';
import { readSeed } from '../../runner/options';
import { makeRunFolder } from '../../runner/run';
import { thisProgram } from '../sandbox/command';

interface SoakCommandOptions {
  for: number;
  warmUp?: number;
  seed: number;
  json?: string;
  out?: string;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DEFAULT_HOURS = 2;
/** A week, as for the app. A timer of Node takes at most 596 h: it fires at once for more. */
const MAX_HOURS = 168;
/**
 * Warm-up: this share of the run up to a maximum. Pages are reloaded in its first part only (docs/soak.md).
 */
const WARM_UP_SHARE = 0.4;
const MAX_WARM_UP_MS = 45 * MINUTE_MS;

/** After Ctrl-C a collection takes up to 20 s, the end of the player 30 s; then every log is read. */
const END_GRACE_MS = 90_000;

function readTime(text: string): number {
  // Users often write a minute as 90m.
  const quantity = readQuantity(text.replace(/(\d)m$/, '$1min'));
  const ms = quantity?.kind === 'time' ? quantity.value : 0;
  if (ms > 0 && ms <= MAX_HOURS * HOUR_MS) return ms;
  throw new InvalidArgumentError(`write it like 2h, 20min or 90s, at most ${MAX_HOURS}h`);
}

/** The measured time begins after the warm-up. @throws UserError if none would remain */
function warmUpMs({ for: forMs, warmUp }: SoakCommandOptions): number {
  if (warmUp === undefined) return Math.min(MAX_WARM_UP_MS, forMs * WARM_UP_SHARE);
  if (warmUp < forMs) return warmUp;
  throw new UserError('--warm-up must be shorter than --for: nothing would be measured', 2);
}

function showProgress({ atMs, processes, logBytes }: SoakSample): void {
  const memory = Object.entries(processes)
    .map(([role, { memoryBytes }]) => `${role} ${formatBytes(memoryBytes)}`)
    .join(', ');
  const minutes = (atMs / MINUTE_MS).toFixed(0);
  print(process.stderr, `[soak] ${minutes} min; ${memory}; log ${formatBytes(logBytes)}\n`);
}

async function soakInside(
  options: SoakCommandOptions,
  play: readonly string[],
  version: string,
  signal: AbortSignal,
): Promise<void> {
  const outDir = process.env[OUT_DIR_VARIABLE] ?? defaultRunDir(new Date());
  const record = await runSoak({
    forMs: options.for,
    warmUpMs: warmUpMs(options),
    seed: options.seed,
    film: await soakFilm({ signal }),
    program: process.argv[1] ?? '',
    play,
    outDir,
    machine: await playedMachineFacts(version),
    signal,
    onProgress: showProgress,
  });
  print(process.stderr, `\n${forTerminal(soakTable(record))}\n\n${soakStory(record)}\n`);
  print(process.stderr, `${soakOutcome(record)}\n`);
  if (options.json !== undefined) writeJson(options.json, record);
  if (record.ended === 'interrupted') process.exitCode = INTERRUPTED_STATUS;
  else if (record.ended === 'failed' || exceeded(record).length > 0 || isUnjudged(record)) {
    process.exitCode = 1;
  }
}

/** `multipath-dash soak`. */
export function addSoakCommand(program: Command, version: string): void {
  program
    .command('soak')
    .description('play for hours over a flapping network and watch memory, descriptors and logs')
    .argument('[play-options...]', 'options of `play` after --, such as -- --carriage ranges')
    .addOption(
      new Option('--for <time>', `such as 20min, at most ${MAX_HOURS}h`)
        .argParser(readTime)
        .default(DEFAULT_HOURS * HOUR_MS, `${DEFAULT_HOURS}h`),
    )
    .option(
      '--warm-up <time>',
      'not measured, shorter than --for (default: two fifths, at most 45min)',
      readTime,
    )
    .option('--seed <n>', 'seed of the actions and of the emulated losses', readSeed, 1)
    .option('--json <file>', 'write the record (- for standard output)')
    .option('--out <dir>', 'folder of the logs and the record (default: runs/<time>)')
    .addHelpText(
      'after',
      '\nLinks go down, are blackholed or fade; the viewer seeks, pauses and reloads; one network is\n' +
        'metered. Memory may grow by 1 MB an hour, the log by 10 MB; descriptors, threads and timers\n' +
        'stay constant. The folder holds samples.jsonl and soak.json at any time.\n' +
        '\nExit status: 0 within the budgets, 1 over one, no figure judged, or playback failed, 2 wrong usage, 130 interrupted.',
    )
    .action(async (play: string[], options: SoakCommandOptions) => {
      warmUpMs(options);
      if (options.json !== undefined) checkJsonFile(options.json);
      if (isInsideSandbox()) {
        guardSandbox();
        await interruptible((signal) => soakInside(options, play, version, signal));
        return;
      }
      const refusal = await labRefusal({ isEmulated: true });
      if (refusal !== undefined) throw refusal;
      const outDir = path.resolve(options.out ?? defaultRunDir(new Date()));
      makeRunFolder(outDir, 0o700);
      // The clip comes from the network, which the sandbox does not have.
      if ((await unlessInterrupted((signal) => soakFilm({ signal }))) === undefined) return;
      process.exitCode = await enterSandbox({
        argv: thisProgram(),
        env: { ...process.env, [OUT_DIR_VARIABLE]: outDir },
        graceMs: END_GRACE_MS,
      });
    });
}
