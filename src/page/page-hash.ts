/** The page's fragment with another stream; its other settings stay. */
export function hashWith(hash: string, address: string): string {
  const parameters = new URLSearchParams(hash.replace(/^#/, ''));
  parameters.set('mpd', address);
  return parameters.toString();
}
