import { createRequire } from 'node:module';
import type { Native } from '../monitor';

/** The addon of this working tree, as `npm run setup` builds it. */
export function loadBuiltAddon(): Native {
  const require = createRequire(import.meta.url);
  return require('../../../native/build/multipath_dash.node') as Native;
}
