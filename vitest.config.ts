import { defineConfig } from 'vitest/config';

const privileged = ['src/**/*.privileged.test.ts'];

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['src/**/*.test.ts', 'scripts/**/*.test.mjs'],
          exclude: privileged,
          // Property tests and simulations take seconds on a busy machine; nothing here is a matter of time.
          testTimeout: 60_000,
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
          retry: process.env['CI'] === 'true' ? 2 : 0,
          testTimeout: 60_000,
          hookTimeout: 60_000,
          expect: { poll: { timeout: 20_000 } },
        },
      },
    ],
  },
});
