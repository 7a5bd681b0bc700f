import path from 'node:path';

export interface CandidateInput {
  /** Folder of this package. */
  root: string;
  /** As `process.platform` and `process.arch` say. */
  platform: string;
  arch: string;
  /** Value of MULTIPATH_DASH_NATIVE. */
  override?: string | undefined;
}

const addonFile = 'multipath_dash.node';

/**
 * Where the addon may be, best first:
 * 1. the file MULTIPATH_DASH_NATIVE names, and then nothing else (tests, packagers);
 * 2. `prebuilds/<platform>-<arch>/`, as a released package carries it;
 * 3. `native/build/`, where `npm run build` puts it.
 */
export function nativeCandidates(input: CandidateInput): string[] {
  if (input.override !== undefined && input.override !== '') return [path.resolve(input.override)];
  return [
    path.join(input.root, 'prebuilds', `${input.platform}-${input.arch}`, addonFile),
    path.join(input.root, 'native', 'build', addonFile),
  ];
}
