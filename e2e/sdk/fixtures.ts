/* eslint-disable no-empty-pattern -- Playwright reads what a fixture needs from its pattern */
import { installPackedSdk, type InstalledPackage } from './installed-package';

/** Packing builds the SDK, and Vite builds the page on top. */
const SETUP_MS = 300_000;

export interface SdkFixtures {
  /** The packed SDK in an empty project, whose page Vite has built into `dist`. */
  sdk: InstalledPackage;
}

/** Fixture for `test.extend`, set up once for all tests of a worker. */
export const sdkFixture = [
  async ({}: object, use: (sdk: InstalledPackage) => Promise<void>): Promise<void> => {
    const sdk = installPackedSdk();
    sdk.run('vite/bin/vite.js', 'build', '--logLevel', 'warn');
    await use(sdk);
    sdk.remove();
  },
  { scope: 'worker', timeout: SETUP_MS },
] as const;
