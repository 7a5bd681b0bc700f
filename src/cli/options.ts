import { InvalidArgumentError, Option, type Command } from 'commander';
import path from 'node:path';

/** Adaptation rules a user may choose; `multipath` is ours, the rest are dash.js's own. */
export const abrNames = ['multipath', 'dynamic', 'bola', 'throughput', 'l2a', 'lolp'] as const;

/** Reads a number above zero. */
export function positiveNumber(text: string): number {
  const value = Number(text);
  if (!Number.isFinite(value) || value <= 0) {
    throw new InvalidArgumentError('expected a number above 0');
  }
  return value;
}

/** What every command that plays understands. */
export interface PlayingOptions {
  abr: (typeof abrNames)[number];
  correction: boolean;
  headless?: boolean;
  seconds?: number;
  json?: string;
  out?: string;
}

/** Adds the options every command that plays understands. */
export function addPlayingOptions(command: Command): Command {
  return command
    .addOption(new Option('--abr <name>', 'adaptation rule').choices(abrNames).default('multipath'))
    .option('--no-correction', "leave dash.js's throughput estimate as it is")
    .option('--headless', 'play without a window (default where there is no display)')
    .option('--json <file>', 'write the summary as JSON (- for standard output)')
    .option('--out <dir>', 'folder of the log and the report (default: runs/<time>)');
}

/** Whether a window can be shown. */
export function hasDisplay(): boolean {
  return Boolean(process.env['DISPLAY'] ?? process.env['WAYLAND_DISPLAY']);
}

/** Folder of a run that was given none. */
export function defaultRunDir(now: Date): string {
  return path.resolve('runs', now.toISOString().replace(/[:.]/g, '-').slice(0, 19));
}
