/** Counts of a vitest JSON report. */
export function vitestCounts(report) {
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

/** Counts of a Playwright JSON report; `repeated` names the tests that passed at a later attempt. */
export function playwrightCounts(report) {
  const { expected, unexpected, flaky, skipped } = report.stats;
  return { passed: expected + flaky, failed: unexpected, skipped, repeated: repeatedIn(report) };
}

function repeatedIn({ suites = [], specs = [] }) {
  const own = specs.flatMap(({ file, title, tests }) =>
    tests.some(({ status }) => status === 'flaky') ? [`${file}: ${title}`] : [],
  );
  return [...own, ...suites.flatMap((suite) => repeatedIn(suite))];
}
