import fc from 'fast-check';

export interface FuzzResult {
  messages: number;
  /** The smallest input found that breaks the target, with the failure. */
  failure?: string;
}

export interface FuzzTarget {
  name: string;
  run: (forMs: number, seed: number) => Promise<FuzzResult>;
}

const MAX_RUNS = 2 ** 31 - 1;
/** Longest text of a failure. Chosen; no measurement. */
const MAX_FAILURE_CHARS = 4000;

/** Checks inputs one by one until the time is over; a failing one is shrunk. */
export function propertyTarget<T>(
  name: string,
  inputs: () => fc.Arbitrary<T>,
  check: (input: T) => void,
): FuzzTarget {
  return {
    name,
    run(forMs, seed) {
      let messages = 0;
      const property = fc.property(inputs(), (input) => {
        messages += 1;
        check(input);
      });
      const details = fc.check(property, {
        seed,
        numRuns: MAX_RUNS,
        interruptAfterTimeLimit: forMs,
      });
      if (!details.failed) return Promise.resolve({ messages });
      return Promise.resolve({ messages, failure: describe(details) });
    },
  };
}

function describe<T>({ counterexample, errorInstance, seed }: fc.RunDetails<[T]>): string {
  const error = errorInstance instanceof Error ? errorInstance.stack : String(errorInstance);
  const input = counterexample?.[0];
  const text = Buffer.isBuffer(input) ? input.toString('latin1') : input;
  return `seed ${seed}, input ${JSON.stringify(text)}\n${error}`.slice(0, MAX_FAILURE_CHARS);
}
