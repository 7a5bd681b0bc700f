/** A place in a file, its problem, and the expected content. */
export interface ScenarioIssue {
  file: string;
  /** Line, from 1. */
  line: number;
  /** Column, from 1. */
  column: number;
  /** Dotted path, such as `topology.paths.wifi.rate`; `scenario` for the whole file. */
  field: string;
  message: string;
}

/** One line of text per issue. */
export function describeIssue({ file, line, column, field, message }: ScenarioIssue): string {
  const place = file.startsWith('--') ? file : `${file}:${line}:${column}`;
  return `${place}: ${field}: ${message}`;
}

/** Most problems in one message, so that the first ones stay on the screen. Chosen; no measurement. */
const MAX_REPORTED = 20;

/** A scenario that cannot be run; lists all its problems. */
export class ScenarioError extends Error {
  override readonly name = 'ScenarioError';
  readonly code = 'BAD_SCENARIO';
  readonly issues: readonly ScenarioIssue[];

  constructor(issues: readonly ScenarioIssue[]) {
    const lines = issues.slice(0, MAX_REPORTED).map(describeIssue);
    const more = issues.length - lines.length;
    super([...lines, ...(more > 0 ? [`and ${more} more`] : [])].join('\n'));
    this.issues = issues;
  }
}
