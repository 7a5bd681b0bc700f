import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadNative } from '.';
import { NativeUnavailableError } from './native-unavailable-error';
import { packageRootAbove } from './package-root';

const noop = (): undefined => undefined;
const addon = {
  snapshot: noop,
  Sampler: noop,
  connectMptcp: noop,
  fullInfo: noop,
  openSocket: noop,
  socketInfo: noop,
  limitReceiveWindow: noop,
  setReceiveLowWater: noop,
  dupFd: noop,
  closeFd: noop,
  limitHeapArenas: noop,
  trimHeap: noop,
  capabilities: noop,
  decodeDiag: noop,
};
const PREBUILT = '/pkg/prebuilds/linux-x64/multipath_dash.node';
const BUILT = '/pkg/native/build/multipath_dash.node';

function load(files: Record<string, unknown>, env: Record<string, string> = {}): unknown {
  return loadNative({
    root: '/pkg',
    platform: 'linux',
    arch: 'x64',
    env,
    exists: (file) => file in files,
    require: (file) => {
      const content = files[file];
      if (content instanceof Error) throw content;
      return content;
    },
  });
}

describe('loadNative', () => {
  it('prefers the prebuilt file to the local build', () => {
    expect(load({ [PREBUILT]: addon, [BUILT]: { ...addon } })).toBe(addon);
  });

  it('uses the local build if the prebuilt file is missing or does not load', () => {
    expect(load({ [BUILT]: addon })).toBe(addon);
    expect(load({ [PREBUILT]: new Error('wrong ELF class'), [BUILT]: addon })).toBe(addon);
  });

  it('uses only the file that the environment names, if it names one', () => {
    const named = { ...addon };
    expect(
      load({ '/x/y.node': named, [BUILT]: addon }, { MULTIPATH_DASH_NATIVE: '/x/y.node' }),
    ).toBe(named);
    expect(() => load({ [BUILT]: addon }, { MULTIPATH_DASH_NATIVE: '/x/y.node' })).toThrow(
      '/x/y.node: does not exist',
    );
  });

  it('refuses a file without an export: an older build', () => {
    const older = { ...addon, decodeDiag: undefined };
    expect(() => load({ [BUILT]: older })).toThrow(`${BUILT}: is not the addon of this version`);
  });

  it('names the command to run, and every place with its problem', () => {
    let error: unknown;
    try {
      load({ [PREBUILT]: new Error('wrong ELF class') });
    } catch (caught) {
      error = caught;
    }
    expect(error).toBeInstanceOf(NativeUnavailableError);
    expect(error).toMatchObject({
      code: 'NATIVE_UNAVAILABLE',
      attempts: [
        { file: PREBUILT, reason: 'wrong ELF class' },
        { file: BUILT, reason: 'does not exist' },
      ],
    });
    expect(String(error)).toContain('npm run build');
  });
});

describe('packageRootAbove', () => {
  const root = path.resolve(import.meta.dirname, '../../..');
  it('finds the package from its sources and from a bundle folder that need not exist', () => {
    expect(packageRootAbove(import.meta.dirname)).toBe(root);
    expect(packageRootAbove(path.join(root, 'dist/app/renderer'))).toBe(root);
  });
  it('stays in place outside the package', () => {
    expect(packageRootAbove('/nowhere/at/all')).toBe('/nowhere/at/all');
  });
});
