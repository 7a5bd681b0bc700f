import { InvalidArgumentError, Option, type Command } from 'commander';
import path from 'node:path';
import {
  parseBufferText,
  parseMeteredText,
  parsePolicyConfigText,
  parsePolicySettingText,
  type Parsed,
} from '../ipc';
import { createPolicy, policies, PolicyConfigError } from '../paths';
import type { NetworkWish } from '../ports';
import { CliError } from './cli-error';
import type { DecisionOptions } from './decision';

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
  policy?: string;
  policyConfig?: Record<string, unknown>;
  policySet?: Record<string, unknown>;
  pathControl: boolean;
  buffer?: number;
  metered?: NetworkWish[];
}

/** What commander shows of a text that is not of its form. */
function accept<T>(parsed: Parsed<T>): T {
  if (parsed.ok) return parsed.value;
  throw new InvalidArgumentError(parsed.error);
}

/** The options of how to decide. */
export type DecidingOptions = Pick<
  PlayingOptions,
  'correction' | 'policy' | 'policyConfig' | 'policySet' | 'pathControl' | 'buffer' | 'metered'
>;

/** What of the options says how to decide; checked. @throws CliError */
export function readDecision(options: DecidingOptions): DecisionOptions {
  const { policy, buffer, metered, pathControl } = options;
  const given = { ...options.policyConfig, ...options.policySet };
  const policyConfig = Object.keys(given).length > 0 ? given : undefined;
  if (policyConfig && policy === undefined) {
    throw new CliError('--policy-config and --policy-set need --policy', 2);
  }
  try {
    if (policy !== undefined) createPolicy(policy, policyConfig ?? {});
  } catch (error) {
    if (error instanceof PolicyConfigError) throw new CliError(`--policy: ${error.message}`, 2);
    throw error;
  }
  return {
    policy,
    policyConfig,
    networks: metered,
    bufferTargetMs: buffer === undefined ? undefined : buffer * 1000,
    pathControl,
  };
}

/** Adds the options that say how to decide. */
export function addDecidingOptions(command: Command): Command {
  return command
    .option('--no-correction', "leave dash.js's throughput estimate as it is")
    .addOption(
      new Option(
        '--policy <name>',
        'which paths to use when (default: our model, with multipath)',
      ).choices(policies.map(({ name }) => name)),
    )
    .option(
      '--policy-config <json>',
      'settings of the policy, one JSON object',
      (text, earlier?: Record<string, unknown>) => ({
        ...earlier,
        ...accept(parsePolicyConfigText(text)),
      }),
    )
    .option(
      '--policy-set <key=value>',
      'one setting; may be repeated',
      (text, earlier?: Record<string, unknown>) => ({
        ...earlier,
        ...accept(parsePolicySettingText(text)),
      }),
    )
    .option(
      '--metered <network>',
      'a network that costs, such as wwan0 or wwan0=200MB; may be repeated',
      (text, earlier?: NetworkWish[]) => [...(earlier ?? []), accept(parseMeteredText(text))],
    )
    .option('--no-path-control', 'leave the paths as the kernel has them')
    .option('--buffer <seconds>', "media to keep ahead (default: dash.js's own)", (text: string) =>
      accept(parseBufferText(text)),
    );
}

/** Adds the options every command that plays understands. */
export function addPlayingOptions(command: Command): Command {
  command.addOption(
    new Option('--abr <name>', 'adaptation rule').choices(abrNames).default('multipath'),
  );
  return addDecidingOptions(command)
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
