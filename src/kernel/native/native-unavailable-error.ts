/** One place that was searched for the addon. */
export interface FailedAttempt {
  file: string;
  reason: string;
}

/** The native addon cannot be loaded; the message names the command to run. */
export class NativeUnavailableError extends Error {
  readonly code = 'NATIVE_UNAVAILABLE';
  override readonly name = 'NativeUnavailableError';
  readonly attempts: readonly FailedAttempt[];

  constructor(attempts: readonly FailedAttempt[]) {
    const places = attempts.map(({ file, reason }) => `\n  ${file}: ${reason}`).join('');
    super(
      `the native addon could not be loaded: run \`npm run build\` (it needs g++ and make).${places}`,
    );
    this.attempts = attempts;
  }
}
