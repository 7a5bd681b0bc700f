import { defineConfig } from 'vitest/config';

const inCi = process.env['CI'] === 'true';
const privileged = ['src/**/*.privileged.test.ts'];

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['src/**/*.test.ts', 'scripts/**/*.test.mjs'],
          exclude: privileged,
          setupFiles: ['scripts/test/settle-imports.mjs'],
          // Property tests and simulations take a minute on a busy machine; nothing here is a matter of time.
          testTimeout: 300_000,
          hookTimeout: 300_000,
          // The rules of fetching run on the real clock, and decide otherwise on a machine that hardly runs.
          retry: inCi ? 2 : 0,
          // A worker keeps the modules that it has loaded, which halves the processor time. No test leaves a change behind.
          isolate: false,
          // Half of the time is spent waiting for sockets, so three workers keep two cores busy.
          maxWorkers: 3,
          expect: { poll: { timeout: 20_000 } },
        },
      },
      {
        test: {
          // Needs root or user namespaces, TUN and MPTCP; one at a time, because they measure.
          name: 'privileged',
          include: privileged,
          fileParallelism: false,
          // They measure on a machine that CI shares with others. vitest names those that it repeated.
          retry: inCi ? 2 : 0,
          testTimeout: 180_000,
          hookTimeout: 180_000,
          expect: { poll: { timeout: 20_000 } },
        },
      },
    ],
  },
});
