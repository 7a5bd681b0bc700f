import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWorkers } from './worker-pool';

let dir = '';
let script = '';
beforeAll(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'workers-test-'));
  script = path.join(dir, 'worker.cjs');
  const library = createRequire(import.meta.url).resolve('workerpool');
  writeFileSync(
    script,
    `const { worker } = require(${JSON.stringify(library)});
const simulate = (request) => {
  if (request === 'throw') throw new RangeError('no such link');
  if (request === 'die') process.exit(3);
  if (request === 'forever') for (;;);
  return request;
};
worker({ simulate });`,
  );
});
afterAll(() => {
  rmSync(dir, { recursive: true, force: true });
});

describe('worker threads', () => {
  it('run on several threads, report errors, and continue after one crashed', async () => {
    const workers = startWorkers(2, script);
    const results = await Promise.allSettled(
      ['throw', 'die', 'a', 'b', 'c'].map((request) => workers.run(request)),
    );
    await workers.end();
    expect(results[0]).toMatchObject({ reason: { message: 'no such link' } });
    expect(results[1]).toMatchObject({ status: 'rejected' });
    for (const [index, request] of ['a', 'b', 'c'].entries()) {
      expect(results[index + 2]).toMatchObject({ value: request });
    }
  });

  it('can be ended during a simulation', async () => {
    const workers = startWorkers(1, script);
    const never = workers.run('forever');
    const ended = expect(never).rejects.toThrow();
    await workers.end();
    await ended;
  });

  it('name the build step if the bundle is missing', () => {
    expect(() => startWorkers(1, path.join(dir, 'none.cjs'))).toThrow(/npm run build/);
  });
});
