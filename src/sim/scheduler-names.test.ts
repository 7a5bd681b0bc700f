import { expect, it } from 'vitest';
import { createChunkScheduler } from '../chunks';
import { CHUNK_SCHEDULER_NAMES } from '../scenario';

it('a scenario names each chunk scheduler, and no other', () => {
  for (const name of CHUNK_SCHEDULER_NAMES) expect(createChunkScheduler(name).name).toBe(name);
  expect(() => createChunkScheduler('other')).toThrow(CHUNK_SCHEDULER_NAMES.join(', '));
});
