import * as v from 'valibot';
import { shapeProblem } from './shape';

export type Parsed<T> = { ok: true; value: T } | { ok: false; error: string };

/**
 * Validates outside input; the error names the field.
 * @param root start of the field's name
 */
export function parse<S extends v.GenericSchema>(
  schema: S,
  input: unknown,
  root?: string,
): Parsed<v.InferOutput<S>> {
  const problem = shapeProblem(input);
  if (problem !== undefined) return { ok: false, error: `${root ?? 'message'}: ${problem}` };
  const result = v.safeParse(schema, input, { abortEarly: true });
  if (result.success) return { ok: true, value: result.output };
  const issue = result.issues[0];
  const field = v.getDotPath(issue) ?? (root === undefined ? 'message' : '*');
  return { ok: false, error: `${root === undefined ? '' : `${root}.`}${field}: ${issue.message}` };
}
