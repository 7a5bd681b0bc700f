import { session, type ClientRequest, type IncomingMessage } from 'electron';

/** The address is not that of a DASH manifest; `message` gives the reason. */
export class ManifestError extends Error {
  override readonly name = 'ManifestError';
}

/** Electron's network module; an argument for tests. */
export interface Net {
  request(options: {
    url: string;
    method: string;
    redirect: 'manual';
    session: Electron.Session;
  }): ClientRequest;
}

/** Time limit for the head of a manifest, after which the viewer gets an error. Chosen; no measurement. */
const TIMEOUT_MS = 10_000;
/** The root element stands in the first bytes of a manifest. */
const HEAD_BYTES = 65_536;

/**
 * Asks a server for the head of a manifest. The request has no cookies and follows no redirect: where one answers, the
 * player decides. Files are checked by the player alone.
 * @throws ManifestError
 */
export async function checkManifest(url: URL, net: Net): Promise<void> {
  if (!/^https?:$/.test(url.protocol)) return;
  const request = net.request({
    url: url.href,
    method: 'GET',
    redirect: 'manual',
    session: session.fromPartition('manifest-check'),
  });
  let timer: NodeJS.Timeout | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      timer = setTimeout(() => reject(fail(url, 'does not answer')), TIMEOUT_MS);
      request.once('error', (error) => reject(fail(url, `cannot be reached: ${error.message}`)));
      request.once('redirect', () => resolve());
      request.once('response', (response) => readHead(response, url, resolve, reject));
      request.end();
    });
  } finally {
    clearTimeout(timer);
    request.abort();
  }
}

function readHead(
  response: IncomingMessage,
  url: URL,
  resolve: () => void,
  reject: (error: Error) => void,
): void {
  if (response.statusCode >= 400) {
    reject(fail(url, `answers with HTTP ${response.statusCode}`));
    return;
  }
  let head = '';
  const judge = (): void => {
    if (/<([\w.-]+:)?MPD[\s>]/.test(head)) resolve();
    else reject(fail(url, 'brings no DASH manifest'));
  };
  response.on('data', (chunk) => {
    head += chunk.toString('latin1');
    if (head.length >= HEAD_BYTES) judge();
  });
  response.on('end', judge);
  response.on('error', (error: Error) => reject(fail(url, error.message)));
}

const fail = (url: URL, reason: string): ManifestError =>
  new ManifestError(`${url.href} ${reason}`);
