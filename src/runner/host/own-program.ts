/** The command line that starts this program again, without its arguments. */
export const ownProgram = (): string[] => [
  process.execPath,
  ...process.execArgv,
  process.argv[1] ?? '',
];
