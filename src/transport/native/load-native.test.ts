import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadNative, NativeUnavailableError } from './index';
import { packageRootAbove } from './package-root';

const noop = (): undefined => undefined;
const addon = {
  snapshot: noop,
  Sampler: noop,
  connectMptcp: noop,
  fullInfo: noop,
  dupFd: noop,
  closeFd: noop,
  capabilities: noop,
  decodeDiag: noop,
};
const prebuilt = '/pkg/prebuilds/linux-x64/multipath_dash.node';
const built = '/pkg/native/build/multipath_dash.node';

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
  it('takes the prebuilt file before the one built here', () => {
    expect(load({ [prebuilt]: addon, [built]: { ...addon } })).toBe(addon);
  });

  it('takes the one built here when the prebuilt one is missing or does not load', () => {
    expect(load({ [built]: addon })).toBe(addon);
    expect(load({ [prebuilt]: new Error('wrong ELF class'), [built]: addon })).toBe(addon);
  });

  it('takes only the file the environment names, when it names one', () => {
    const named = { ...addon };
    expect(
      load({ '/x/y.node': named, [built]: addon }, { MULTIPATH_DASH_NATIVE: '/x/y.node' }),
    ).toBe(named);
    expect(() => load({ [built]: addon }, { MULTIPATH_DASH_NATIVE: '/x/y.node' })).toThrow(
      '/x/y.node: does not exist',
    );
  });

  it('refuses a file that lacks an export: an older build', () => {
    const older = { ...addon, decodeDiag: undefined };
    expect(() => load({ [built]: older })).toThrow(`${built}: is not the addon of this version`);
  });

  it('says what to run, and every place with what was wrong there', () => {
    let error: unknown;
    try {
      load({ [prebuilt]: new Error('wrong ELF class') });
    } catch (caught) {
      error = caught;
    }
    expect(error).toBeInstanceOf(NativeUnavailableError);
    expect(error).toMatchObject({
      code: 'NATIVE_UNAVAILABLE',
      attempts: [
        { file: prebuilt, reason: 'wrong ELF class' },
        { file: built, reason: 'does not exist' },
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
  it('stays where it is outside the package', () => {
    expect(packageRootAbove('/nowhere/at/all')).toBe('/nowhere/at/all');
  });
});
