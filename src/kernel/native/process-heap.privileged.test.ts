import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { expect, it } from 'vitest';
import { nativeCandidates } from './native-candidates';
import { packageRootAbove } from './package-root';

const [file] = nativeCandidates({
  root: packageRootAbove(path.dirname(import.meta.filename)),
  platform: process.platform,
  arch: process.arch,
  override: process.env['MULTIPATH_DASH_NATIVE'],
}).slice(-1);

/** Numbers that a program of its own printed: both calls change the process that makes them. */
function numbersOf(program: string): number[] {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--expose-gc', '-e', `const addon = require(${JSON.stringify(file)}); ${program}`],
    { encoding: 'utf8' },
  );
  expect(stderr).toBe('');
  return stdout.trim().split(' ').map(Number);
}

// Each arena of glibc but the first lies in reservations of 64 MiB, at multiples of that.
const ARENAS_OF_BUSY_THREADS = `
  const { readFileSync } = require('node:fs');
  const { gzip } = require('node:zlib');
  const arenas = () => readFileSync('/proc/self/maps', 'utf8').split('\\n')
    .filter((line) => /^[0-9a-f]+(?:[048c]000000)-.* rw-p .* 0 *$/.test(line)).length;
  let left = 64;
  for (let each = 0; each < 64; each += 1) {
    gzip(Buffer.alloc(100_000), () => { if (--left === 0) console.log(arenas()); });
  }`;

it('threads share as many arenas of the heap as the process permits', () => {
  const [unlimited = 0] = numbersOf(ARENAS_OF_BUSY_THREADS);
  const [limited = 0] = numbersOf(`addon.limitHeapArenas(2); ${ARENAS_OF_BUSY_THREADS}`);
  // V8's threads may have an arena before the limit; the four of libuv start after it.
  expect(limited).toBeLessThanOrEqual(unlimited - 2);
});

it('trimming returns freed pages between used ones', () => {
  const [used = 0, freed = 0, trimmed = 0] = numbersOf(`
    const resident = () => Math.round(process.memoryUsage().rss / 1e6);
    let buffers = Array.from({ length: 2000 }, () => Buffer.alloc(65_536, 1));
    const used = resident();
    buffers = buffers.filter((_, index) => index % 100 === 99);
    // Buffers of this turn are collected in a later one.
    setTimeout(() => {
      gc();
      setTimeout(() => {
        const freed = resident();
        addon.trimHeap();
        console.log(used, freed, resident(), buffers.length);
      }, 200);
    }, 10);`);
  expect(used - freed).toBeLessThan(20);
  expect(freed - trimmed).toBeGreaterThan(90); // MB of 129
});

it('refuses a limit that is no count', () => {
  const [isRefused] = numbersOf(
    `try { addon.limitHeapArenas(0); console.log(0) } catch ({ code }) { console.log(code === 'BAD_ARGUMENT' ? 1 : 2) }`,
  );
  expect(isRefused).toBe(1);
});
