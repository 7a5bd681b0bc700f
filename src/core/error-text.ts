/** The message of anything that was thrown: JavaScript throws more than Errors. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Anything that was thrown, as an Error. */
export const toError = (error: unknown): Error =>
  error instanceof Error ? error : new Error(String(error));

/** True for an error of the system with this code, such as `EEXIST` (errno(3)). */
export const isSystemError = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;
