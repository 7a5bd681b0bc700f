import { defineConfig } from '@playwright/test';

/** One worker: the tests share two cores with the network they measure. */
export default defineConfig({
  // Variants of what `npm test` plays: `npm test -- --profile nightly` plays them.
  ...(process.env['TEST_PROFILE'] === 'nightly' ? {} : { grepInvert: /@nightly/ }),
  testDir: 'e2e',
  workers: 1,
  // The machine of CI is shared: a test that needs time there gets up to three attempts, and `npm test` names it.
  // A fault of the program fails all three. Nowhere else is a test repeated.
  retries: process.env['CI'] === 'true' ? 2 : 0,
  timeout: 120_000,
  // A busy machine shows a state seconds later; waiting for it costs nothing where it is there.
  expect: { timeout: 20_000 },
  forbidOnly: process.env['CI'] === 'true',
  reporter: 'list',
  use: { trace: 'off' },
});
