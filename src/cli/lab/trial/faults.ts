/** Takes the first thing that breaks around a trial; what follows from it is not told. */
export class Faults {
  /** Settles with the first fault, or never. */
  readonly first: Promise<string>;
  #tell: (message: string) => void = () => undefined;
  #message: string | undefined;

  constructor() {
    this.first = new Promise((resolve) => {
      this.#tell = resolve;
    });
  }

  get message(): string | undefined {
    return this.#message;
  }

  /** @param what part of the trial, as a reader of the results knows it */
  readonly report = (what: string, error: unknown): void => {
    this.#message ??= `${what}: ${error instanceof Error ? error.message : String(error)}`;
    this.#tell(this.#message);
  };
}
