/** Counts of a vitest JSON report; `failures` names each failed test and gives its first message. */
export function vitestCounts(report) {
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests,
    skipped: report.numPendingTests + report.numTodoTests,
    failures: report.testResults.flatMap(failuresOfFile),
  };
}

/** A file that fails before its tests are known has a message of its own and no failed test. */
function failuresOfFile({ name, message, assertionResults }) {
  const file = name.replace(`${process.cwd()}/`, '');
  const failed = assertionResults.filter(({ status }) => status === 'failed');
  if (failed.length === 0) return message ? [failure(file, message)] : [];
  return failed.map(({ fullName, failureMessages }) =>
    failure(`${file}: ${fullName}`, failureMessages[0]),
  );
}

/**
 * Counts of a Playwright JSON report; `repeated` names the tests that passed at a later attempt, and `failures` those
 * that passed at none.
 */
export function playwrightCounts(report) {
  const { expected, unexpected, flaky, skipped } = report.stats;
  return {
    passed: expected + flaky,
    failed: unexpected,
    skipped,
    repeated: specsOf(report, 'flaky').map(({ file, title }) => `${file}: ${title}`),
    failures: specsOf(report, 'unexpected').map(({ file, title, tests }) =>
      failure(`${file}: ${title}`, tests.at(-1).results?.at(-1)?.error?.message),
    ),
  };
}

function specsOf({ suites = [], specs = [] }, wanted) {
  const own = specs.filter(({ tests }) => tests.some(({ status }) => status === wanted));
  return [...own, ...suites.flatMap((suite) => specsOf(suite, wanted))];
}

/** The name and, below it, the first lines of the message without colour codes. */
export function failure(name, message = '', maxLines = LINES_OF_MESSAGE) {
  // eslint-disable-next-line no-control-regex -- colour codes begin with a control character
  const lines = message.replace(/\u001b\[[0-9;]*m/g, '').split('\n');
  const kept = lines.filter((line) => line.trim() !== '').slice(0, maxLines);
  return [name, ...kept.map((line) => `    ${line}`)].join('\n');
}

const LINES_OF_MESSAGE = 8;
