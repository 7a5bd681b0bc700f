import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import process from 'node:process';
import { errorText } from '../../core';
import type * as native from '../../../native/index';
import { nativeCandidates } from './native-candidates';
import { NativeUnavailableError, type FailedAttempt } from './native-unavailable-error';
import { packageRootAbove } from './package-root';

/** Defaults are those of the running process. */
export interface LoadNativeOptions {
  root?: string;
  platform?: string;
  arch?: string;
  env?: Readonly<Record<string, string | undefined>>;
  exists?: (file: string) => boolean;
  /** Loads a .node file; throws when the system cannot. */
  require?: (file: string) => unknown;
}

/** Exports that identify the addon of this version. */
const exportNames = [
  'snapshot',
  'Sampler',
  'connectMptcp',
  'fullInfo',
  'openSocket',
  'socketInfo',
  'limitReceiveWindow',
  'setReceiveLowWater',
  'dupFd',
  'closeFd',
  'limitHeapArenas',
  'trimHeap',
  'capabilities',
  'decodeDiag',
] as const satisfies readonly (keyof typeof native)[];

function isAddon(loaded: unknown): loaded is typeof native {
  if (typeof loaded !== 'object' || loaded === null) return false;
  const exported = loaded as Record<string, unknown>;
  return exportNames.every((name) => typeof exported[name] === 'function');
}

/** Bundles are CommonJS, where `__dirname` is the bundle's folder; sources are ES modules. */
const here = (): string => (typeof __dirname === 'string' ? __dirname : import.meta.dirname);

/**
 * Loads the native addon (see {@link nativeCandidates} for the places).
 * @throws NativeUnavailableError with every place and its problem
 */
export function loadNative(options: LoadNativeOptions = {}): typeof native {
  const root = options.root ?? packageRootAbove(here());
  const exists = options.exists ?? existsSync;
  const load: (file: string) => unknown =
    options.require ?? createRequire(path.join(root, 'package.json'));
  const attempts: FailedAttempt[] = [];
  const candidates = nativeCandidates({
    root,
    platform: options.platform ?? process.platform,
    arch: options.arch ?? process.arch,
    override: (options.env ?? process.env)['MULTIPATH_DASH_NATIVE'],
  });
  for (const file of candidates) {
    const reason = tryFile(file);
    if (typeof reason !== 'string') return reason;
    attempts.push({ file, reason });
  }
  throw new NativeUnavailableError(attempts);

  function tryFile(file: string): typeof native | string {
    if (!exists(file)) return 'does not exist';
    try {
      const loaded = load(file);
      return isAddon(loaded) ? loaded : 'is not the addon of this version';
    } catch (error) {
      return errorText(error);
    }
  }
}
