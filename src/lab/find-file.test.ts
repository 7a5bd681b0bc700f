import { expect, it } from 'vitest';
import { findUpwards } from './find-file';

const files = new Set(['/p/native/build/x', '/q/native/build/x']);
const exists = (path: string): boolean => files.has(path);

it('finds the file in the nearest folder above, the first start first', () => {
  expect(findUpwards('native/build/x', ['/p/dist/cli', '/q'], exists)).toBe('/p/native/build/x');
  expect(findUpwards('native/build/x', ['/', '/q/dist'], exists)).toBe('/q/native/build/x');
});

it('returns undefined if no folder up to the root has it', () => {
  expect(findUpwards('native/build/y', ['/p/dist', '/q'], exists)).toBeUndefined();
});
