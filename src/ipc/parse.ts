import * as v from 'valibot';

export type Parsed<T> = { ok: true; value: T } | { ok: false; error: string };

/**
 * Checks what came from outside; the error names the field.
 * @param root what the field's name begins with
 */
export function parse<S extends v.GenericSchema>(
  schema: S,
  input: unknown,
  root?: string,
): Parsed<v.InferOutput<S>> {
  const result = v.safeParse(schema, input, { abortEarly: true });
  if (result.success) return { ok: true, value: result.output };
  const issue = result.issues[0];
  const field = v.getDotPath(issue) ?? (root === undefined ? 'message' : '*');
  return { ok: false, error: `${root === undefined ? '' : `${root}.`}${field}: ${issue.message}` };
}
