import type { MultipathPlayerOptions } from '../player';
import { checkOptions } from './check-options';
import type { CmcdOptions } from './cmcd';

export { attachOnce } from './attach-once';
export { checkAddress } from './check-options';

/** Options of a dash.js player. */
export interface DashOptions extends MultipathPlayerOptions {
  /** Sends CMCD version 2 with every request; default false. */
  cmcd?: boolean | CmcdOptions | undefined;
}

const OPTIONS: readonly (keyof DashOptions)[] = [
  'video',
  'transport',
  'logSink',
  'abr',
  'correction',
  'policy',
  'policyConfig',
  'networks',
  'memory',
  'bufferTargetMs',
  'settings',
  'logSettings',
  'fetch',
  'keys',
  'audioLanguage',
  'audioRole',
  'textLanguage',
  'textRole',
  'textContainer',
  'cmcd',
];

/** @throws OptionError naming the option that is wrong */
export function checkDashOptions(options: DashOptions): void {
  checkOptions(options, OPTIONS);
}
