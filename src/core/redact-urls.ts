/**
 * An address may hold every character but white space and quotes: what ended a match sooner would leave the rest of a
 * secret. A match begins at the first character that a scheme may have: from every later one the search would take
 * the square of a text's length.
 */
const urls = /(?:(?<![a-z0-9+.-])[a-z0-9+.-]+:\/\/|(?<![a-z0-9+.:/-])\/\/)(?:[^\s"\\]|\\(?!"))+/gi;
/** User and password of an address that is not well formed, which browsers repair (WHATWG URL, section 4.4). Bounded,
 * so that a text takes no longer than it is long. */
const users = /(?<![a-z0-9+.-])(https?|ftp|wss?):[\\/]{0,3}[^\s"\\/@:]{0,256}:[^\s"@]{0,256}@/gi;
/** Parameters of an address without a host, or of one that is not well formed. */
const parameters = /(?<=[^\s?#])[?#](?:[^\s"\\]|\\(?!"))+/g;
const GONE = 'redacted';

/** Values behind a name, and parameters without a name. */
const withoutValues = (text: string): string =>
  text.replace(/=[^&#;]+/g, `=${GONE}`).replace(/([?#&;])([^=?#&;]+)(?=$|[#&;])/g, `$1${GONE}`);

function redactUrl(url: string): string {
  const at = url.search(/[?#]/);
  const place = at === -1 ? url : url.slice(0, at);
  const rest = at === -1 ? '' : url.slice(at);
  return (
    // A user name and password stand before the host, and may hold an `@` of their own.
    place.replace(/^([^:/]*:?\/\/)[^/]*@/, `$1${GONE}@`) + withoutValues(rest)
  );
}

/**
 * Removes passwords and the values of query and fragment from the URLs in a text. Signed URLs and session tokens
 * give access to everybody who reads them. The parameters' names stay.
 */
export function redactUrls(text: string): string {
  return text
    .replace(urls, redactUrl)
    .replace(users, `$1:${GONE}@`)
    .replace(parameters, withoutValues);
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
