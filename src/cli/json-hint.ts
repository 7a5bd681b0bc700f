import type { Command } from 'commander';

/** The command that these words name: words up to the first one that is no subcommand. */
function commandOf(program: Command, [word, ...rest]: readonly string[]): Command {
  const next = program.commands.find((one) => one.name() === word);
  return next === undefined ? program : commandOf(next, rest);
}

/** Commander's error, with an explanation where `--json` caused it. */
export function withJsonHint(program: Command, text: string, args: readonly string[]): string {
  const hint = jsonHint(program, text, args);
  return hint === '' ? text : `${text.trim().replace(/\.$/, '')}; ${hint}`;
}

/**
 * Explains an error of commander that the two forms of `--json` cause. Commands that write files take a file name after it;
 * elsewhere it is a flag.
 * @param text commander's error
 * @param args words after the program's name
 * @returns empty where `--json` is not the cause
 */
function jsonHint(program: Command, text: string, args: readonly string[]): string {
  const next = args[args.indexOf('--json') + 1];
  if (!args.includes('--json') || next === undefined) return '';
  const option = commandOf(program, args).options.find(({ long }) => long === '--json');
  if (option === undefined) return '';
  const takesFile = option.required || option.optional;
  if (takesFile && text.includes('missing required argument')) {
    return `--json took ${next} for the file to write: put --json last`;
  }
  if (!takesFile && text.includes('too many arguments')) {
    return `--json takes no file here: redirect standard output, as in --json > ${next}`;
  }
  return '';
}
