import type { parseArgs, ParseArgsConfig } from 'node:util';

type Options = NonNullable<ParseArgsConfig['options']>;
type Values<T extends Options> = ReturnType<typeof parseArgs<{ options: T }>>['values'];

export function readOptions<T extends Options>(usage: string, options: T): Values<T>;
export function readOptionsAndWords<T extends Options>(
  usage: string,
  options: T,
): { values: Values<T>; words: string[] };
export function isNightly(profile: string, usage: string): boolean;
export function wrongOption(message: string, usage: string): never;
