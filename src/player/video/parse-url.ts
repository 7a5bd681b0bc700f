/** An address, resolved against `base`; undefined if it is invalid. `URL.canParse` needs Chromium 120. */
export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
