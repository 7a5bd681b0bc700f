/** An unplayable URL; `message` gives the reason. */
export class StreamUrlError extends Error {
  override readonly name = 'StreamUrlError';
}

/**
 * Checks the window's stream URL. Files come only through the dialog or the command line.
 * @param ownsMedia true if a URL lies in a folder opened by the viewer
 */
export function checkStreamUrl(text: string, ownsMedia: (url: URL) => boolean): URL {
  let url: URL;
  try {
    url = new URL(text.trim());
  } catch {
    throw new StreamUrlError(`“${text}” is not a URL: try https://…/stream.mpd`);
  }
  if (url.protocol === 'http:' || url.protocol === 'https:') {
    if (url.username !== '' || url.password !== '') {
      throw new StreamUrlError('a URL with a user name or password in it cannot be played');
    }
    return url;
  }
  if (ownsMedia(url)) return url;
  if (url.protocol === 'file:') {
    throw new StreamUrlError('a file is opened with “Open file…” or named on the command line');
  }
  throw new StreamUrlError(`“${url.protocol}” cannot be played: use http or https`);
}
