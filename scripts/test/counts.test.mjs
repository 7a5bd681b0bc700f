import { expect, it } from 'vitest';
import { playwrightCounts, vitestCounts } from './counts.mjs';

it('counts a test that passed at a later attempt as passed, and names it', () => {
  const results = [{ error: { message: '\u001b[31mexpected 1\u001b[39m\n\nreceived 2' } }];
  const spec = (title, status) => ({
    file: 'app/a.spec.ts',
    title,
    tests: [{ status, ...(status === 'unexpected' ? { results } : {}) }],
  });
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
    failures: ['app/a.spec.ts: stalls\n    expected 1\n    received 2'],
  });
});

it('names the failed tests of a unit run, and a file that could not be loaded', () => {
  const failed = { status: 'failed', fullName: 'reads a log', failureMessages: ['no such file'] };
  const report = {
    numPassedTests: 1,
    numFailedTests: 1,
    numPendingTests: 0,
    numTodoTests: 0,
    testResults: [
      { name: 'a.test.ts', message: '', assertionResults: [{ status: 'passed' }, failed] },
      { name: 'b.test.ts', message: 'cannot be loaded', assertionResults: [] },
    ],
  };
  expect(vitestCounts(report)).toEqual({
    passed: 1,
    failed: 1,
    skipped: 0,
    failures: ['a.test.ts: reads a log\n    no such file', 'b.test.ts\n    cannot be loaded'],
  });
});
