import { PathControlError, type PathControl, type PathControlChange } from '../../ports';

/** What every path control is around its work: one thing after the other, listeners, an end. */
export class ControlSession {
  /** Why nothing can be done any more, although nobody closed it. */
  gone: PathControlError | undefined;
  readonly #onError: (error: unknown) => void;
  readonly #listeners = new Map<symbol, (change: PathControlChange) => void>();
  #queue: Promise<unknown> = Promise.resolve();
  #closing: Promise<void> | undefined;

  constructor(onError: (error: unknown) => void) {
    this.#onError = onError;
  }

  get isClosing(): boolean {
    return this.#closing !== undefined;
  }

  /** Resolves when everything that was asked for so far is done; never rejects. */
  get idle(): Promise<void> {
    return this.#queue.then(() => undefined);
  }

  /** Does something when what was asked for before is done. */
  inOrder<T>(work: () => Promise<T>): Promise<T> {
    const next = this.#queue.then(work);
    this.#queue = next.catch(() => undefined);
    return next;
  }

  /** As {@link inOrder}. @throws PathControlError after the end */
  whenOpen<T>(work: () => Promise<T>): Promise<T> {
    if (this.#closing) {
      return Promise.reject(new PathControlError('CLOSED', 'path control was closed'));
    }
    return this.gone ? Promise.reject(this.gone) : this.inOrder(work);
  }

  /** Told after {@link say}; returns what ends that. */
  onChange(listener: (change: PathControlChange) => void): () => void {
    const key = Symbol('listener');
    this.#listeners.set(key, listener);
    return () => this.#listeners.delete(key);
  }

  say(change: PathControlChange): void {
    for (const listener of [...this.#listeners.values()]) {
      try {
        listener(change);
      } catch (error) {
        this.#onError(error);
      }
    }
  }

  /** The channel to the kernel ended by itself. */
  end(error: PathControlError): void {
    this.gone = error;
    this.say({ detail: error.message, endpoints: [] });
  }

  /** What cannot be done any more; undefined: it can. */
  incapability(): ReturnType<PathControl['capability']> | undefined {
    return this.gone
      ? { available: false, reason: `Paths cannot be switched any more: ${this.gone.message}.` }
      : undefined;
  }

  /** @param restore puts everything back; what it throws is told @param release ends what is open */
  close(restore: () => Promise<void>, release: () => void): Promise<void> {
    this.#closing ??= this.inOrder(() => restore().catch(this.#onError)).then(() => {
      this.#listeners.clear();
      release();
    });
    return this.#closing;
  }
}
