/** The command line that starts this program again, without its arguments. */
export const ownProgram = (): string[] => [
  process.execPath,
  ...process.execArgv,
  process.argv[1] ?? '',
];

/** The last line of a program's output; progress lines may end in a carriage return. */
export const lastLine = (text: string): string =>
  text
    .trim()
    .split(/[\r\n]/)
    .at(-1)
    ?.trim() ?? '';
