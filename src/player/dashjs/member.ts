/**
 * Reads a member of an external object or list: of dash.js's events, or of its parsed MPD.
 * @param keys the way to it, from the outermost
 * @returns undefined if any part of the way is missing
 */
export function member(
  from: unknown,
  ...keys: readonly (string | number | null | undefined)[]
): unknown {
  return keys.reduce<unknown>(
    (one, key) =>
      typeof one === 'object' && one !== null
        ? (one as Record<string, unknown>)[String(key)]
        : undefined,
    from,
  );
}

/** The same for a list; empty if there is none. */
export function listMember(from: unknown, key: string): unknown[] {
  const list = member(from, key);
  return Array.isArray(list) ? list : [];
}
