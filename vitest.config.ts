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
        },
      },
      {
        test: {
          // Needs root or user namespaces, TUN and MPTCP; one at a time, because they measure.
          name: 'privileged',
          include: privileged,
          fileParallelism: false,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
