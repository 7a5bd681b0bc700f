/** Allowed range, ends included, of every numeric setting. */
export type SettingLimits<Settings> = {
  readonly [Key in keyof Settings as Settings[Key] extends boolean ? never : Key]: readonly [
    low: number,
    high: number,
  ];
};

/**
 * The defaults, overridden by the given settings. A setting that is undefined keeps its default; null is permitted where the
 * default is null; one without a range is a boolean.
 * @param fail makes the error of a message that names the setting and its permitted values
 * @throws what `fail` returns
 */
export function checkSettings<Settings extends object>(
  name: string,
  defaults: Settings,
  limits: SettingLimits<Settings>,
  given: Partial<Settings>,
  fail: (message: string) => Error,
): Settings {
  const ranges = new Map(Object.entries<readonly [number, number]>(limits));
  const expected = new Map(Object.entries<unknown>(defaults as Record<string, unknown>));
  const set: Record<string, unknown> = {};
  for (const [key, value] of Object.entries<unknown>(given as Record<string, unknown>)) {
    if (!expected.has(key)) {
      const settings = [...expected.keys()].join(', ') || 'none';
      throw fail(`${name}: unknown setting "${key}"; there are: ${settings}`);
    }
    if (value === undefined) continue;
    const range = ranges.get(key);
    const isValid = range
      ? (value === null && expected.get(key) === null) ||
        (typeof value === 'number' && value >= range[0] && value <= range[1])
      : typeof value === 'boolean';
    if (!isValid) {
      const wanted = range ? `a number from ${range[0]} to ${range[1]}` : 'true or false';
      throw fail(`${name}: ${key} must be ${wanted}, got ${JSON.stringify(value)}`);
    }
    set[key] = value;
  }
  return { ...defaults, ...set };
}
