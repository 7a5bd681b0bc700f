import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';

/** The copy of the sources that docs/extending.md is applied to. */
const COPY = path.resolve('.cache/extending');
const GUIDE = 'docs/extending.md';

const blocks = [
  ...readFileSync(GUIDE, 'utf8').matchAll(/^```(\S+)(?: file=(\S+))?\n([^]*?)^```$/gm),
];
const files = blocks.filter(([, , file]) => file).map(([, , file, text]) => ({ file, text }));
const patches = blocks.filter(([, kind]) => kind === 'diff').map(([, , , text]) => text);
const sources = files.map(({ file }) => file).filter((file) => file.endsWith('.ts'));

/** Runs a program in the copy; its output is the message of a failure. */
function run(command, args, input) {
  // The copy is no checkout of its own: git must not look for one further up.
  const env = { ...process.env, GIT_CEILING_DIRECTORIES: path.dirname(COPY) };
  const done = spawnSync(command, args, { cwd: COPY, input, env, encoding: 'utf8' });
  expect(done.status, `${command} ${args.join(' ')}\n${done.stdout}${done.stderr}`).toBe(0);
}

const tool = (file) => path.resolve('node_modules', file);

beforeAll(() => {
  rmSync(COPY, { recursive: true, force: true });
  mkdirSync(path.join(COPY, 'native'), { recursive: true });
  for (const folder of ['src', 'scripts', 'native/link', 'tsconfig', 'vitest.config.ts']) {
    cpSync(folder, path.join(COPY, folder), { recursive: true });
  }
  cpSync('.prettierrc.json', path.join(COPY, '.prettierrc.json'), { force: true });
  for (const { file, text } of files) writeFileSync(path.join(COPY, file), text);
  for (const patch of patches) run('git', ['apply', '--recount', '--unidiff-zero', '-'], patch);
  run(process.execPath, ['scripts/registries.mjs']);
});

test('has two files for a rule, a policy and a metric each', () => {
  for (const folder of ['abr', 'policy', 'qoe']) {
    expect(sources.filter((file) => file.startsWith(`src/${folder}/`))).toHaveLength(2);
  }
});

test('has at most ten files for a queue discipline, its vectors included', () => {
  const changed = patches.map((patch) => /^\+\+\+ b\/(.*)$/m.exec(patch)?.[1]);
  const added = files.map(({ file }) => file).filter((file) => /queue/.test(file));
  expect(new Set([...changed, ...added]).size + 1).toBeLessThanOrEqual(10);
});

// The compiler reads all of src; on two busy cores it needs more than a minute.
test('its TypeScript fits the sources', () => {
  const config = {
    extends: './tsconfig/base.json',
    compilerOptions: {
      composite: false,
      noEmit: true,
      lib: ['ES2022'],
      types: ['node'],
      rootDir: '.',
    },
    files: [...sources, 'src/core/index.ts', 'src/brain/index.ts', 'src/lab/link-kernel-plan.ts'],
  };
  writeFileSync(
    path.join(COPY, 'tsconfig.json'),
    JSON.stringify({
      ...config,
      compilerOptions: { ...config.compilerOptions, emitDeclarationOnly: false },
    }),
  );
  run(process.execPath, [tool('typescript/bin/tsc'), '-p', 'tsconfig.json']);
});

test('its tests pass, and those that run for every policy and rule', () => {
  const tests = sources.filter((file) => file.endsWith('.test.ts'));
  const vitest = [tool('vitest/vitest.mjs'), 'run', '--project', 'unit', '--root', COPY];
  const others = ['src/policy/invariants.test.ts', 'src/player/vanilla.test.ts'];
  run(process.execPath, [...vitest, ...tests, ...others]);
});

test('the lists that users see have the new names', () => {
  const names = readFileSync(path.join(COPY, 'src/core/names.generated.ts'), 'utf8');
  expect(names).toContain("'nearest'");
  expect(names).toContain("'steady'");
});

test('its C++ compiles', () => {
  const flags = ['-std=c++20', '-fsyntax-only', '-Wall', '-Wextra', '-Werror'];
  for (const file of ['src/queue_config.cc', 'test/queue_vectors_test.cc']) {
    run('g++', [
      ...flags,
      '-Isrc',
      '-Itest',
      '-Inative/link/src',
      '-Inative/link/test',
      `native/link/${file}`,
    ]);
  }
});
