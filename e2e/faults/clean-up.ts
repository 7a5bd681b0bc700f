import type { Browser } from '@playwright/test';
import { expectNothingLeft, stateOfMachine } from './left-behind';

/** Checks that nothing of a test is left when all other parts have ended. */
export interface CleanUpFixture {
  cleanUp: undefined;
}

/** The clean-up check for tests whose browser is shared by all tests of a file. */
export const cleanUpBesideBrowser = [
  async (
    { browser }: { browser: Browser },
    use: (nothing: undefined) => Promise<void>,
  ): Promise<void> => {
    const state = (): unknown => ({
      pages: browser.contexts().flatMap((context) => context.pages()).length,
      ...stateOfMachine(/chrom/),
    });
    const before = state();
    await use(undefined);
    await expectNothingLeft(before, state);
  },
  { auto: true },
] as const;
