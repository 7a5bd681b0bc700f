import type { BaseIssue } from 'valibot';
import type { Problem, ScenarioPath } from './problems';

function pathOf(issue: BaseIssue<unknown>): ScenarioPath {
  return (issue.path ?? []).map(({ key }) => (typeof key === 'number' ? key : String(key)));
}

/**
 * What a schema found, one problem an issue. Of a choice between a word and a map, the errors inside the map are
 * told when a map is what was written: that it is no word helps nobody.
 * @param base where the issues' own paths begin
 */
export function schemaProblems(
  issues: readonly BaseIssue<unknown>[],
  base: ScenarioPath = [],
): Problem[] {
  return issues.flatMap((issue) => {
    const path = [...base, ...pathOf(issue)];
    const deeper = issue.issues?.filter((inner) => (inner.path?.length ?? 0) > 0) ?? [];
    if (deeper.length > 0) return schemaProblems(deeper, path);
    return [{ path, message: issue.message }];
  });
}
