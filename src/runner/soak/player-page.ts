import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';

/** The viewer's side of the page. */
export interface PageState {
  positionMs: number;
  durationMs: number;
  paused: boolean;
}

/** Objects that the page keeps, after a garbage collection where one was asked for. */
export interface PageFigures {
  heapBytes: number;
  /** Bytes that V8 has reserved for the heap. */
  heapSizeBytes: number;
  /** Objects of the browser itself for the page, such as nodes and requests, outside of V8's heap. */
  domBytes: number;
  /** Bytes of buffers, outside of the heap. */
  externalBytes: number;
  nodes: number;
  listeners: number;
  /** Timeouts and intervals that wait. */
  timers: number;
}

/** Time limits for the page's opening and for one answer, on a busy machine. Chosen; no measurement. */
const OPEN_TIMEOUT_MS = 30_000;
const ANSWER_TIMEOUT_MS = 20_000;
const LOOK_MS = 200;

/** Counts the timers of a page, which no interface reports. Runs before the page's own scripts. */
const COUNT_TIMERS = `(() => {
  const waiting = new Set();
  const { setTimeout: later, setInterval: often, clearTimeout: cancel } = window;
  window.setTimeout = (task, ms, ...args) => {
    const id = later(() => { waiting.delete(id); if (typeof task === 'function') task(...args); }, ms);
    waiting.add(id);
    return id;
  };
  window.setInterval = (...args) => { const id = often(...args); waiting.add(id); return id; };
  window.clearTimeout = window.clearInterval = (id) => { waiting.delete(id); cancel(id); };
  Object.defineProperty(window, 'soakTimers', { get: () => waiting.size });
})()`;

const READ_STATE = `(() => {
  const video = document.querySelector('video');
  return video && { positionMs: video.currentTime * 1000, durationMs: video.duration * 1000, paused: video.paused };
})()`;

interface Answer {
  id?: number;
  result?: Record<string, unknown>;
  error?: { message?: string };
}

/**
 * The player's page through the browser's DevTools port. The Network domain stays off: it would keep the
 * bodies of responses in the renderer that is measured.
 */
export class PlayerPage {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  #lastId = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (data: Buffer) => {
      const answer = JSON.parse(data.toString('utf8')) as Answer;
      if (answer.id === undefined) return;
      this.#waiting.get(answer.id)?.(answer);
      this.#waiting.delete(answer.id);
    });
  }

  /** Waits for the page and loads it again with its timers counted. @throws Error if there is no page */
  static async open(port: number, signal: AbortSignal): Promise<PlayerPage> {
    const deadlineMs = performance.now() + OPEN_TIMEOUT_MS;
    for (;;) {
      const url = await findPage(port);
      if (url !== undefined) {
        const socket = new WebSocket(url);
        await once(socket, 'open', { signal });
        const page = new PlayerPage(socket);
        await page.#send('Page.enable');
        await page.#send('Performance.enable');
        await page.#send('Page.addScriptToEvaluateOnNewDocument', { source: COUNT_TIMERS });
        await page.reload();
        return page;
      }
      if (performance.now() > deadlineMs) throw new Error('the player page did not open');
      await sleep(LOOK_MS, undefined, { signal });
    }
  }

  async state(): Promise<PageState | undefined> {
    return (await this.#evaluate(READ_STATE)) as PageState | undefined;
  }

  async seek(positionMs: number): Promise<void> {
    await this.#evaluate(`document.querySelector('video').currentTime = ${positionMs / 1000}`);
  }

  async setPaused(isPaused: boolean): Promise<void> {
    const call = isPaused ? 'pause()' : 'play().catch(() => undefined)';
    await this.#evaluate(`void document.querySelector('video').${call}`);
  }

  async reload(): Promise<void> {
    await this.#send('Page.reload');
  }

  async collectGarbage(): Promise<void> {
    await this.#send('HeapProfiler.collectGarbage');
  }

  async figures(): Promise<PageFigures> {
    const { metrics } = (await this.#send('Performance.getMetrics')) as {
      metrics: { name: string; value: number }[];
    };
    const metric = (name: string): number => metrics.find((one) => one.name === name)?.value ?? 0;
    const usage = await this.#send('Runtime.getHeapUsage');
    return {
      heapBytes: metric('JSHeapUsedSize'),
      heapSizeBytes: metric('JSHeapTotalSize'),
      // Absent in older browsers.
      domBytes: Number(usage['embedderHeapUsedSize'] ?? 0),
      externalBytes: Number(usage['backingStorageSize'] ?? 0),
      nodes: metric('Nodes'),
      listeners: metric('JSEventListeners'),
      timers: Number((await this.#evaluate('window.soakTimers')) ?? 0),
    };
  }

  close(): void {
    this.#socket.terminate();
  }

  async #evaluate(expression: string): Promise<unknown> {
    const answer = await this.#send('Runtime.evaluate', { expression, returnByValue: true });
    return (answer['result'] as { value?: unknown } | undefined)?.value ?? undefined;
  }

  #send(method: string, params: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(id);
        reject(new Error(`the page did not answer ${method} in ${ANSWER_TIMEOUT_MS / 1000} s`));
      }, ANSWER_TIMEOUT_MS);
      this.#waiting.set(id, ({ result = {}, error }) => {
        clearTimeout(timer);
        if (error) reject(new Error(`${method}: ${error.message ?? 'refused'}`));
        else resolve(result);
      });
      this.#socket.send(JSON.stringify({ id, method, params }));
    });
  }
}

async function findPage(port: number): Promise<string | undefined> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/json/list`);
    const targets = (await answer.json()) as Record<string, string>[];
    const isPlayer = (target: Record<string, string>): boolean =>
      target['type'] === 'page' && target['url']?.includes('#') === true;
    return targets.find(isPlayer)?.['webSocketDebuggerUrl'];
  } catch {
    // The browser does not listen yet.
    return undefined;
  }
}
