import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

// Needs no privilege, only the built addon.

const addon = path.resolve(import.meta.dirname, '../../../native/build/multipath_dash.node');

/** Runs a program that has the addon as \`native\`; throws unless it ends successfully in time. */
function run(program: string): string {
  const prelude = `const native = require(${JSON.stringify(addon)});`;
  const out = execFileSync(process.execPath, ['-e', prelude + program], { timeout: 30_000 });
  return out.toString().trim();
}

const SAMPLING = `
  const sampler = new native.Sampler({ periodMs: 10, onReadable: () => sampler.read() });
  sampler.start();`;

describe('a sampler that is never stopped', () => {
  it('does not keep a program running', () => {
    expect(run(`${SAMPLING} console.log('end');`)).toBe('end');
  });

  it('does not disturb process.exit', () => {
    expect(run(`${SAMPLING} setTimeout(() => { console.log('end'); process.exit(); }, 100);`)).toBe(
      'end',
    );
  });

  it('ends with its worker, again and again', () => {
    const program = `
      const { Worker } = require('node:worker_threads');
      const source = ${JSON.stringify(`const native = require(${JSON.stringify(addon)});${SAMPLING}`)}
        + "require('node:worker_threads').parentPort.postMessage('up'); setInterval(() => {}, 1000);";
      (async () => {
        for (let i = 0; i < 20; i += 1) {
          const worker = new Worker(source, { eval: true });
          await new Promise((resolve) => worker.once('message', resolve));
          await worker.terminate();
        }
        console.log('end');
      })();`;
    expect(run(program)).toBe('end');
  });

  it('is collected once it is stopped and unreferenced', () => {
    const program = `
      require('node:v8').setFlagsFromString('--expose-gc');
      const gc = require('node:vm').runInNewContext('gc');
      let collected = 0;
      const registry = new FinalizationRegistry(() => (collected += 1));
      const use = () => {
        const sampler = new native.Sampler({ periodMs: 10, onReadable: () => sampler.read() });
        registry.register(sampler, 0);
        sampler.start();
        sampler.stop();
      };
      for (let i = 0; i < 5; i += 1) use();
      let tries = 0;
      const timer = setInterval(() => {
        gc();
        if (collected < 5 && ++tries < 200) return;
        clearInterval(timer);
        console.log(collected);
      }, 20);`;
    expect(run(program)).toBe('5');
  });
});
