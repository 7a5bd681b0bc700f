/** A failure the user can act on: shown as one line, without a stack. */
export class CliError extends Error {
  override readonly name = 'CliError';

  constructor(
    message: string,
    /** Exit status: 1 failed, 2 wrong usage. */
    readonly exitCode: 1 | 2 = 1,
  ) {
    super(message);
  }
}
