/** The newest major version at the release of this package: that of its development dependency. */
export const NEWEST_KNOWN_ELECTRON = 45;
/** Electron maintains its three newest major versions (electronjs.org, "Electron Releases"). */
const SUPPORTED_MAJORS = 3;

/** A warning about an Electron without security fixes; undefined for a supported one. */
export function electronWarning(version: string): string | undefined {
  const oldestSupported = NEWEST_KNOWN_ELECTRON - SUPPORTED_MAJORS + 1;
  if (Number.parseInt(version, 10) >= oldestSupported) return undefined;
  return (
    `Electron ${version} is past its end of life: it gets no security fixes (${oldestSupported} and newer do). ` +
    'Open only streams that you trust, or install a current one with `npx install-electron`.'
  );
}
