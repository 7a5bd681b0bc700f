import { Listeners } from '../core';
import { PathControlError, type PathControl, type PathControlChange } from '../ports';

/** The common frame of every path control: serial execution, listeners, an end. */
export class ControlSession {
  /** Reason why the control has failed without a call of close. */
  gone: PathControlError | undefined;
  readonly #onError: (error: unknown) => void;
  readonly #listeners = new Listeners<PathControlChange>();
  #queue: Promise<unknown> = Promise.resolve();
  #closing: Promise<void> | undefined;

  constructor(onError: (error: unknown) => void) {
    this.#onError = onError;
  }

  get isClosing(): boolean {
    return this.#closing !== undefined;
  }

  /** Resolves when all earlier requests are done; never rejects. */
  get idle(): Promise<void> {
    return this.#queue.then(() => undefined);
  }

  /** Runs a task when the earlier ones are done. */
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

  /** Subscribes to {@link say}. Returns the unsubscription. */
  onChange(listener: (change: PathControlChange) => void): () => void {
    return this.#listeners.add(listener);
  }

  say(change: PathControlChange): void {
    this.#listeners.call(change, this.#onError);
  }

  /** The channel to the kernel ended on its own. */
  end(error: PathControlError): void {
    this.gone = error;
    this.say({ detail: error.message, endpoints: [] });
  }

  /** The reason why requests fail. Undefined: they can succeed. */
  incapability(): ReturnType<PathControl['capability']> | undefined {
    return this.gone
      ? { available: false, reason: `Paths cannot be switched any more: ${this.gone.message}.` }
      : undefined;
  }

  /**
   * @param restore puts everything back; its error is reported
   * @param release closes all resources
   */
  close(restore: () => Promise<void>, release: () => void): Promise<void> {
    this.#closing ??= this.inOrder(() => restore().catch(this.#onError)).then(() => {
      this.#listeners.clear();
      release();
    });
    return this.#closing;
  }
}
