/** A failure that the user can correct. It is shown as one line, without a stack. */
export class UserError extends Error {
  override readonly name = 'UserError';

  constructor(
    message: string,
    /** Exit status: 1 failed, 2 wrong usage. */
    readonly exitCode: 1 | 2 = 1,
  ) {
    super(message);
  }
}
