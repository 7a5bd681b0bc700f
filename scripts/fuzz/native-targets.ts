import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { FuzzResult, FuzzTarget } from './target';

interface NativeTarget {
  name: string;
  /** Below `native/`. */
  program: string;
  corpus: string;
  maxBytes: number;
  dictionary?: string;
}

const native: readonly NativeTarget[] = [
  ...['fuzz-tcp', 'fuzz-mptcp', 'fuzz-full-info'].map((name) => ({
    name,
    program: `build/${name}`,
    corpus: `fuzz/corpus/${name}`,
    maxBytes: 16_384,
  })),
  ...['fuzz-request', 'fuzz-subflows'].map((name) => ({
    name,
    program: `build/helper-sanitized/${name}`,
    corpus: `helper/fuzz/corpus/${name}`,
    maxBytes: 512,
    dictionary: 'helper/fuzz/request.dict',
  })),
  {
    name: 'fuzz-packets',
    program: 'build/emulator-sanitized/fuzz-packets',
    corpus: 'link/fuzz/corpus/fuzz-packets',
    maxBytes: 4096,
  },
];

/** Builds the programs. */
export function buildNativeTargets(): void {
  const { status } = spawnSync('make', ['-s', '-C', 'native', 'fuzz'], { stdio: ['ignore', 2, 2] });
  if (status !== 0) throw new Error('the native targets could not be built');
}

function run(target: NativeTarget, forMs: number, seed: number): Promise<FuzzResult> {
  const found = `native/build/corpus/${target.name}`;
  mkdirSync(found, { recursive: true });
  const child = spawn(
    path.join('native', target.program),
    [
      ...['-print_final_stats=1', '-verbosity=0', '-timeout=10', '-rss_limit_mb=1024'],
      ...[`-max_total_time=${Math.ceil(forMs / 1000)}`, `-max_len=${target.maxBytes}`],
      ...[`-seed=${seed}`, `-artifact_prefix=${found}-`],
      ...(target.dictionary === undefined ? [] : [`-dict=native/${target.dictionary}`]),
      // New inputs go to the first folder; the committed ones are only read.
      ...[found, `native/${target.corpus}`],
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let output = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (status) => {
      const units = /stat::number_of_executed_units:\s+(\d+)/.exec(output)?.[1];
      const messages = Number(units ?? 0);
      resolve(status === 0 ? { messages } : { messages, failure: output.slice(-4000) });
    });
  });
}

export const nativeTargets: readonly FuzzTarget[] = native.map((target) => ({
  name: target.name,
  run: (forMs, seed) => run(target, forMs, seed),
}));
