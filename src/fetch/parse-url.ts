/** An address, resolved against `base`; undefined if it is invalid. `URL.canParse` needs Node 19.9, and Electron 22 has 16. */
export function parseUrl(text: string, base?: URL): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
