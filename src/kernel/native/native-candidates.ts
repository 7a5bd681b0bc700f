import path from 'node:path';

export interface CandidateInput {
  /** Folder of this package. */
  root: string;
  /** Value of `process.platform`; `arch` is that of `process.arch`. */
  platform: string;
  arch: string;
  /** Value of MULTIPATH_DASH_NATIVE. */
  override?: string | undefined;
}

const ADDON_FILE = 'multipath_dash.node';

/**
 * Places of the addon, best first:
 * 1. the file that MULTIPATH_DASH_NATIVE names, and then no other (tests, packagers);
 * 2. `prebuilds/<platform>-<arch>/`, as a released package contains it;
 * 3. `native/build/`, the output of `npm run build`.
 */
export function nativeCandidates(input: CandidateInput): string[] {
  if (input.override !== undefined && input.override !== '') return [path.resolve(input.override)];
  return [
    path.join(input.root, 'prebuilds', `${input.platform}-${input.arch}`, ADDON_FILE),
    path.join(input.root, 'native', 'build', ADDON_FILE),
  ];
}
