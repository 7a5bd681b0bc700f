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

/**
 * Opens a page in the first window of a browser started with `--remote-debugging-pipe`, and watches it for a
 * crash.
 */
export function openBrowserPage(input: Writable, output: Readable, url: string): BrowserPage {
  let found: (targetId: string) => void = () => undefined;
  let lost: (how: string) => void = () => undefined;
  const page = new Promise<string>((resolve) => {
    found = resolve;
  });
  const crashed = new Promise<string>((resolve) => {
    lost = resolve;
  });
  let ours: string | undefined;
  const pipe = new BrowserPipe(input, output, (method, params) => {
    if (method === 'Target.targetCreated' && isPage(params['targetInfo'])) {
      ours ??= params['targetInfo'].targetId;
      found(ours);
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
    const { errorText } = await pipe.send('Page.navigate', { url }, session);
    if (typeof errorText === 'string') throw new Error(errorText);
    // An attached debugger would slow the page down.
    await pipe.send('Target.detachFromTarget', { sessionId: session });
  };
  return { opened: open(), crashed };
}
