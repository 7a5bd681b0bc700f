// The measurements: each returns rows { name, medianUs, p90Us? }.
import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { quantile } from './quantile.mjs';

const build = join(import.meta.dirname, '../../native/build');
export const native = createRequire(import.meta.url)(join(build, 'multipath_dash.node'));

const PERIOD_MS = 100;

const summary = (values) => ({ medianUs: quantile(values, 0.5), p90Us: quantile(values, 0.9) });

function wallUs(work) {
  const before = process.hrtime.bigint();
  work();
  return Number(process.hrtime.bigint() - before) / 1e3;
}

/** The collector of the sampling thread, alone in a process. */
export function measureCollector(count, pauseUs) {
  const args = [String(count), String(pauseUs)];
  const { medianUs, p90Us } = JSON.parse(
    execFileSync(join(build, 'bench'), args, { encoding: 'utf8' }),
  );
  return { medianUs, p90Us };
}

/** The sampler as a program uses it, and what reading its snapshots costs the JavaScript thread. */
export async function measureSampler(count) {
  const sampler = new native.Sampler({ periodMs: PERIOD_MS, capacity: count });
  sampler.start();
  await sleep(PERIOD_MS * count);
  sampler.stop();
  let snapshots = [];
  const readUs = wallUs(() => {
    snapshots = sampler.read();
  });
  return [
    { name: 'Sampler, every 100 ms', ...summary(snapshots.map((snapshot) => snapshot.cpuUs)) },
    { name: 'Sampler.read() per snapshot, wall', medianUs: readUs / snapshots.length },
  ];
}

/** The one-shot call, which dumps everything. */
export function measureSnapshot(count) {
  const cpuUs = [];
  const callUs = Array.from({ length: count }, () =>
    wallUs(() => {
      cpuUs.push(native.snapshot().cpuUs);
    }),
  );
  return [
    { name: 'snapshot()', ...summary(cpuUs) },
    { name: 'snapshot() with conversion, wall', ...summary(callUs) },
  ];
}

/** Each round runs in a shell of its own. Its `times` has a resolution of 1 ms, hence ten at once. */
export function measureSs(flags, count) {
  const perShell = 10;
  const script = `for i in $(seq ${perShell}); do ss ${flags} >/dev/null; done; times`;
  const rounds = Array.from({ length: Math.ceil(count / perShell) }, () => {
    const [, children] = execFileSync('bash', ['-c', script], { encoding: 'utf8' })
      .trim()
      .split('\n');
    const seconds = [...children.matchAll(/(\d+)m([\d.]+)s/g)].map(
      ([, m, s]) => m * 60 + Number(s),
    );
    return (seconds.reduce((sum, value) => sum + value, 0) * 1e6) / perShell;
  });
  return { name: `spawning ss ${flags}`, ...summary(rounds) };
}
