import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { loadNative } from '.';

const openDescriptors = (): number => readdirSync('/proc/self/fd').length;

it('a stopped sampler holds no descriptor, and starts again', () => {
  const { Sampler } = loadNative();
  const before = openDescriptors();
  const samplers = Array.from({ length: 20 }, () => new Sampler());
  for (const sampler of samplers) sampler.start();
  expect(openDescriptors()).toBeGreaterThan(before);
  for (const sampler of samplers) sampler.stop();
  expect(openDescriptors()).toBe(before);
  for (const sampler of samplers) sampler.start();
  for (const sampler of samplers) sampler.stop();
  expect(openDescriptors()).toBe(before);
});
