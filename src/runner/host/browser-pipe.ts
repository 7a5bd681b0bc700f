import type { Readable, Writable } from 'node:stream';

/** One message of the Chrome DevTools Protocol: an answer has an `id`, an event a `method`. */
interface PipeMessage {
  id?: number;
  method?: string;
  sessionId?: string;
  params?: Record<string, unknown>;
  result?: Record<string, unknown>;
  error?: { message?: string };
}

/** Upper limit for a browser's messages about opening a page. */
const MAX_MESSAGE_CHARS = 16 * 1024 * 1024;

/** Descriptors on which a Chromium with `--remote-debugging-pipe` reads and writes. */
export const browserPipeFds = { read: 3, write: 4 } as const;

/**
 * The DevTools Protocol over two pipes, messages ended by NUL (`--remote-debugging-pipe`). Unlike a port or an
 * argument, no other user can read it.
 */
export class BrowserPipe {
  readonly #input: Writable;
  readonly #waiting = new Map<
    number,
    { resolve: (result: Record<string, unknown>) => void; reject: (error: Error) => void }
  >();
  readonly #onEvent: (
    method: string,
    params: Record<string, unknown>,
    sessionId: string | undefined,
  ) => void;
  #rest = '';
  #lastId = 0;
  #closed: Error | undefined;
  #settleClosed: (reason: Error) => void = () => undefined;
  /** Settles with the reason when the connection to the browser is lost. */
  readonly closed = new Promise<Error>((resolve) => {
    this.#settleClosed = resolve;
  });

  /** @param onEvent called with every event of the browser */
  constructor(
    input: Writable,
    output: Readable,
    onEvent: (
      method: string,
      params: Record<string, unknown>,
      sessionId: string | undefined,
    ) => void,
  ) {
    this.#input = input;
    this.#onEvent = onEvent;
    const close = (): void => this.#close('it closed its debugging pipe');
    output.setEncoding('utf8').on('data', (text: string) => this.#read(text));
    for (const stream of [input, output]) stream.on('error', close).on('close', close);
  }

  /** @throws Error with the browser's answer, or when the pipe closes first */
  send(
    method: string,
    params: Record<string, unknown> = {},
    sessionId?: string,
  ): Promise<Record<string, unknown>> {
    if (this.#closed) return Promise.reject(this.#closed);
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#input.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    });
  }

  #read(text: string): void {
    const messages = (this.#rest + text).split('\0');
    this.#rest = messages.pop() ?? '';
    if (this.#rest.length > MAX_MESSAGE_CHARS) this.#close('its debugging pipe makes no sense');
    for (const message of messages) this.#take(message);
  }

  #take(text: string): void {
    let message: PipeMessage;
    try {
      message = JSON.parse(text) as PipeMessage;
    } catch {
      return;
    }
    const { id, method, params = {}, sessionId, result = {}, error } = message;
    if (id === undefined) {
      if (method !== undefined) this.#onEvent(method, params, sessionId);
      return;
    }
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error) waiting?.reject(new Error(error.message ?? 'it refused'));
    else waiting?.resolve(result);
  }

  #close(reason: string): void {
    this.#closed ??= new Error(reason);
    this.#settleClosed(this.#closed);
    for (const { reject } of this.#waiting.values()) reject(this.#closed);
    this.#waiting.clear();
    this.#rest = '';
  }
}
