import type { Readable, Writable } from 'node:stream';
import { BrowserPipe } from './browser-pipe';

export interface BrowserPage {
  /** Resolves when the page has begun to load. @throws Error */
  opened: Promise<void>;
  /** Settles with the reason if the page's process crashes. */
  crashed: Promise<string>;
}

interface TargetInfo {
  targetId?: unknown;
  type?: unknown;
}

const isPage = (info: unknown): info is { targetId: string } => {
  const { targetId, type } = (info ?? {}) as TargetInfo;
  return type === 'page' && typeof targetId === 'string';
};

/** Stage at which the browser asks about a request. A redirection is another request. */
const EVERY_REQUEST = { patterns: ['http://*', 'https://*'].map((urlPattern) => ({ urlPattern })) };

/**
 * Opens a page in the first window of a browser started with `--remote-debugging-pipe`, and watches it for a
 * crash.
 * @param allows decides about each request of the page; without it all are sent
 */
export function openBrowserPage(
  input: Writable,
  output: Readable,
  url: string,
  allows?: (url: URL) => Promise<boolean>,
): BrowserPage {
  let found: (targetId: string) => void = () => undefined;
  let lost: (how: string) => void = () => undefined;
  const page = new Promise<string>((resolve) => {
    found = resolve;
  });
  const crashed = new Promise<string>((resolve) => {
    lost = resolve;
  });
  let ours: string | undefined;
  const judge = async (text: string): Promise<boolean> => (await allows?.(new URL(text))) === true;
  /** Answers the browser's question about a request (DevTools Protocol, domain Fetch). */
  const answer = async (params: Record<string, unknown>, session: string): Promise<void> => {
    const { requestId, request } = params as { requestId?: unknown; request?: { url?: unknown } };
    const isAllowed = await judge(String(request?.url)).catch(() => false);
    const [verb, reason] = isAllowed
      ? ['Fetch.continueRequest', {}]
      : ['Fetch.failRequest', { errorReason: 'BlockedByClient' }];
    await pipe.send(verb, { requestId, ...reason }, session);
  };
  const pipe = new BrowserPipe(input, output, (method, params, session) => {
    if (method === 'Target.targetCreated' && isPage(params['targetInfo'])) {
      ours ??= params['targetInfo'].targetId;
      found(ours);
    } else if (method === 'Fetch.requestPaused' && session !== undefined) {
      // A request that the page gave up meanwhile is no fault.
      answer(params, session).catch(() => undefined);
    } else if (method === 'Target.targetCrashed' && params['targetId'] === ours) {
      lost(`lost its page: its process was lost (${String(params['status'])})`);
    }
  });
  const open = async (): Promise<void> => {
    await pipe.send('Target.setDiscoverTargets', { discover: true });
    const targetId = await Promise.race([page, pipe.closed]);
    if (targetId instanceof Error) throw targetId;
    const { sessionId } = await pipe.send('Target.attachToTarget', { targetId, flatten: true });
    const session = String(sessionId);
    if (allows) await pipe.send('Fetch.enable', EVERY_REQUEST, session);
    const { errorText } = await pipe.send('Page.navigate', { url }, session);
    if (typeof errorText === 'string') throw new Error(errorText);
    // An attached debugger would slow the page down.
    if (!allows) await pipe.send('Target.detachFromTarget', { sessionId: session });
  };
  return { opened: open(), crashed };
}
