import { errorText } from '../../core';
/** Keeps the first fault around a trial. Its consequences are not reported. */
export class Faults {
  /** Settles with the first fault, or never. */
  readonly first: Promise<string>;
  #report: (message: string) => void = () => undefined;
  #message: string | undefined;

  constructor() {
    this.first = new Promise((resolve) => {
      this.#report = resolve;
    });
  }

  get message(): string | undefined {
    return this.#message;
  }

  /** @param what part of the trial, by its name in the results */
  readonly report = (what: string, error: unknown): void => {
    this.#message ??= `${what}: ${errorText(error)}`;
    this.#report(this.#message);
  };
}
