import { defineConfig } from '@playwright/test';

/** One worker: the tests share two cores with the network they measure. */
export default defineConfig({
  testDir: 'e2e',
  workers: 1,
  retries: 0,
  timeout: 120_000,
  forbidOnly: process.env['CI'] === 'true',
  reporter: 'list',
  use: { trace: 'off' },
});
