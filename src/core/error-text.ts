/** The message of anything that was thrown: JavaScript throws more than Errors. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
