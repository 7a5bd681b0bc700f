import { InvalidArgumentError, Option, type Command } from 'commander';
import path from 'node:path';

/** Adaptation rules a user may choose; `multipath` is ours, the rest are dash.js's own. */
export const abrNames = ['multipath', 'dynamic', 'bola', 'throughput', 'l2a', 'lolp'] as const;

/** A day: beyond it, a number is a mistake. */
const maxSeconds = 86_400;

/** Reads a playing time. @param max for commands that can do no more */
export function readSeconds(text: string, max = maxSeconds): number {
  const value = Number(text);
  if (!(value > 0 && value <= max)) {
    throw new InvalidArgumentError(`expected a number above 0, at most ${max}`);
  }
  return value;
}

/** Reads a seed. */
export function readSeed(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value > 1e9) {
    throw new InvalidArgumentError('expected a whole number from 0 to 1000000000');
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
  const { DISPLAY, WAYLAND_DISPLAY } = process.env;
  return [DISPLAY, WAYLAND_DISPLAY].some(Boolean);
}

/** Folder of a run that was given none. */
export function defaultRunDir(now: Date): string {
  return path.resolve('runs', now.toISOString().replace(/[:.]/g, '-').slice(0, 19));
}
