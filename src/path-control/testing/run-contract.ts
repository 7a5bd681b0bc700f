import { pathControlContract, type PathControlHarness } from '../../ports/contract';

/** Runs the port's test suite outside a test runner, for scenarios of their own process. */
export async function runContract(
  name: string,
  createHarness: () => Promise<PathControlHarness>,
): Promise<{ count: number; failed: string[] }> {
  const tests: { title: string; body: () => Promise<void> }[] = [];
  const same = (actual: unknown, expected: unknown): void => {
    if (JSON.stringify(actual) === JSON.stringify(expected)) return;
    throw new Error(`${JSON.stringify(actual)} is not ${JSON.stringify(expected)}`);
  };
  const api = {
    describe: (_name: string, body: () => void) => body(),
    it: (title: string, body: () => Promise<void>) => void tests.push({ title, body }),
    expect: (actual: unknown) => ({
      toEqual: (expected: unknown) => same(actual, expected),
      toBe: (expected: unknown) => same(actual, expected),
    }),
  };
  pathControlContract(api, name, createHarness);
  const failed: string[] = [];
  for (const { title, body } of tests) {
    await body().catch((error: unknown) => failed.push(`${title}: ${String(error)}`));
  }
  return { count: tests.length, failed };
}
