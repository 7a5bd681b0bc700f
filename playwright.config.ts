import { defineConfig } from '@playwright/test';

/** One worker: the tests share two cores with the network they measure. */
export default defineConfig({
  // Variants of what `npm test` plays: `npm run faults -- --profile nightly` plays them.
  ...(process.env['FAULT_PROFILE'] === 'nightly' ? {} : { grepInvert: /@nightly/ }),
  testDir: 'e2e',
  workers: 1,
  retries: 0,
  timeout: 120_000,
  // A busy machine shows a state seconds later; waiting for it costs nothing where it is there.
  expect: { timeout: 20_000 },
  forbidOnly: process.env['CI'] === 'true',
  reporter: 'list',
  use: { trace: 'off' },
});
