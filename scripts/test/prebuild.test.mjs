import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkAddon } from '../package/check-addon.mjs';

const ROOT = path.resolve(import.meta.dirname, '../..');
const TRIPLET = 'aarch64-linux-gnu';
/** Debian's folder of arm64's libraries; its linker looks there under qemu. */
const SYSROOT = `/usr/${TRIPLET}`;

/** Loads a library as Node does, and finds Node-API's entry. Node's own symbols are bound at their first call. */
const LOADER = `#include <dlfcn.h>
#include <stdio.h>
int main(int argc, char **argv) {
  void *library = dlopen(argv[argc - 1], RTLD_LAZY);
  if (library == NULL) puts(dlerror());
  return library == NULL || dlsym(library, "napi_register_module_v1") == NULL;
}
`;

let dir = '';
beforeAll(() => {
  dir = mkdtempSync(path.join(os.tmpdir(), 'prebuild-test-'));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const prebuild = (...options) =>
  spawnSync(process.execPath, ['scripts/prebuild.mjs', '--out', dir, ...options], {
    cwd: ROOT,
    encoding: 'utf8',
  });

// Compiles all of the addon once more.
const itNightly = process.env.TEST_PROFILE === 'nightly' ? it : () => undefined;

itNightly('compiles an addon for arm64 that loads there', () => {
  const { status, stderr } = prebuild('--arch', 'arm64');
  expect(status, stderr).toBe(0);
  expect(readdirSync(dir)).toEqual(['linux-arm64']);
  const addon = path.join(dir, 'linux-arm64/multipath_dash.node');
  expect(() => checkAddon(addon, 'x64')).toThrow('is code for ELF machine 183, not for x64');

  const loader = path.join(dir, 'loader');
  writeFileSync(`${loader}.c`, LOADER);
  execFileSync(`${TRIPLET}-gcc`, ['-o', loader, `${loader}.c`]);
  // Node itself exports Node-API; here, nothing calls it.
  expect(execFileSync('qemu-aarch64-static', ['-L', SYSROOT, loader, addon]).toString()).toBe('');
});

it('refuses an addon with a symbol that nothing provides', () => {
  const file = path.join(dir, 'broken.node');
  writeFileSync(`${file}.c`, 'int absent(void);\nint entry(void) { return absent(); }\n');
  execFileSync(`${TRIPLET}-gcc`, ['-shared', '-fPIC', '-o', file, `${file}.c`]);
  expect(() => checkAddon(file, 'arm64')).toThrow('lacks absent');
});

it('names an architecture without a compiler', () => {
  const { status, stderr } = prebuild('--arch', 'mips');
  expect([status, stderr]).toEqual([1, expect.stringContaining('expected arm64 or x64')]);
});
