/** One place where the addon was looked for. */
export interface FailedAttempt {
  file: string;
  reason: string;
}

/** The native addon cannot be loaded; the message says what to run. */
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
