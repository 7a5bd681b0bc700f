const rethrow = (error: unknown): never => {
  throw error;
};

/** Functions that are called for each value, in the order in which they came. One may come twice. */
export class Listeners<T> {
  readonly #listeners = new Map<symbol, (value: T) => void>();

  /** Returns what removes it. */
  add(listener: (value: T) => void): () => void {
    const key = Symbol('listener');
    this.#listeners.set(key, listener);
    return () => {
      this.#listeners.delete(key);
    };
  }

  /** Calls each. One that throws is reported to `onError` and stops no other; without `onError` the caller gets its error. */
  call(value: T, onError: (error: unknown) => void = rethrow): void {
    for (const listener of [...this.#listeners.values()]) {
      try {
        listener(value);
      } catch (error) {
        onError(error);
      }
    }
  }

  clear(): void {
    this.#listeners.clear();
  }
}
