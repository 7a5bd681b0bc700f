import type { BaseIssue } from 'valibot';
import type { Problem, ScenarioPath } from './problems';

function pathOf(issue: BaseIssue<unknown>): ScenarioPath {
  return (issue.path ?? []).map(({ key }) => (typeof key === 'number' ? key : String(key)));
}

/**
 * Turns each schema issue into a problem. Of a choice between a word and a map, only the errors inside the
 * map are reported if a map was written. A quantity beyond its bounds is reported with them, also in a choice.
 * @param base path to which the issues' own paths are relative
 */
export function schemaProblems(
  issues: readonly BaseIssue<unknown>[],
  base: ScenarioPath = [],
): Problem[] {
  return issues.flatMap((issue) => {
    const path = [...base, ...pathOf(issue)];
    const deeper = issue.issues?.filter((inner) => (inner.path?.length ?? 0) > 0) ?? [];
    if (deeper.length > 0) return schemaProblems(deeper, path);
    const beyond = issue.issues?.find(({ type }) => type === 'raw_transform');
    return [{ path, message: (beyond ?? issue).message }];
  });
}
