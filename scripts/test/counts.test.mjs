import { expect, it } from 'vitest';
import { playwrightCounts } from './counts.mjs';

it('counts a test that passed at a later attempt as passed, and names it', () => {
  const spec = (title, status) => ({ file: 'app/a.spec.ts', title, tests: [{ status }] });
  const report = {
    stats: { expected: 1, flaky: 1, unexpected: 1, skipped: 0 },
    suites: [
      { specs: [spec('plays', 'expected')], suites: [{ specs: [spec('seeks', 'flaky')] }] },
      { specs: [spec('stalls', 'unexpected')] },
    ],
  };
  expect(playwrightCounts(report)).toEqual({
    passed: 2,
    failed: 1,
    skipped: 0,
    repeated: ['app/a.spec.ts: seeks'],
  });
});
