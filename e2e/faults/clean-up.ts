import type { Browser } from '@playwright/test';
import { expectNothingLeft, stateOfMachine } from './left-behind';

/** Nothing of a test is left when all else of it has ended. */
export interface CleanUpFixture {
  cleanUp: void;
}

/** For tests in a browser that belongs to all tests of a file. */
export const cleanUpBesideBrowser = [
  async ({ browser: _ }: { browser: Browser }, use: () => Promise<void>): Promise<void> => {
    const before = stateOfMachine(/chrom/);
    await use();
    await expectNothingLeft(before, /chrom/);
  },
  { auto: true },
] as const;
