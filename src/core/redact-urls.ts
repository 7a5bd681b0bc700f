/**
 * A password may hold an apostrophe, which elsewhere ends a quoted URL. A match begins at the first character that a scheme
 * may have: from every later one the search would take the square of a text's length.
 */
const urls = /(?<![a-z0-9+.-])[a-z0-9+.-]+:\/\/(?:[^\s"<>\\/?#]*@)?[^\s"'<>\\]+/gi;
const GONE = 'redacted';

function redactUrl(url: string): string {
  const at = url.search(/[?#]/);
  const place = at === -1 ? url : url.slice(0, at);
  const parameters = at === -1 ? '' : url.slice(at);
  return (
    // A user name and password stand before the host, and may hold an `@` of their own.
    place.replace(/^([^:]+:\/\/)[^/]*@/, `$1${GONE}@`) +
    // Values, and parameters without a name.
    parameters
      .replace(/=[^&#;]+/g, `=${GONE}`)
      .replace(/([?#&;])([^=?#&;]+)(?=$|[#&;])/g, `$1${GONE}`)
  );
}

/**
 * Removes passwords and the values of query and fragment from the URLs in a text. Signed URLs and session tokens
 * give access to everybody who reads them. The parameters' names stay.
 */
export function redactUrls(text: string): string {
  return text.replace(urls, redactUrl);
}

/** Applies {@link redactUrls} to every string in a value. The caller has to bound the depth. */
export function redactUrlsIn<T>(value: T): T {
  return deepRedact(value) as T;
}

function deepRedact(value: unknown): unknown {
  if (typeof value === 'string') return redactUrls(value);
  if (Array.isArray(value)) return value.map(deepRedact);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, deepRedact(one)]));
}
