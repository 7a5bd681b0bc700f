// Builds the SDK's package (packages/sdk/dist): ES modules, rolled-up types, and the check of its size.
// Usage: node scripts/sdk.mjs [--check]   (--check: nothing but the sizes of what is built)
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { minify } from 'terser';
import { readOptions } from './setup/options.mjs';

const USAGE = `node scripts/sdk.mjs [--check]

  --check    only the sizes of what is built`;
const values = readOptions(USAGE, { check: { type: 'boolean', default: false } });

const root = path.resolve(import.meta.dirname, '..');
const out = path.join(root, 'packages/sdk/dist');
const entries = ['index', 'panel', 'shaka', 'hls', 'core'];
/** Committed beside the package, so that growth is a visible change. */
const budget = JSON.parse(readFileSync(path.join(root, 'packages/sdk/size-budget.json'), 'utf8'));

/** The optional path policies come in chunks of their own, loaded when one is asked for. */
const onDemand = {
  name: 'on-demand',
  resolveId(source, importer) {
    return source.endsWith('/optional-policies')
      ? this.resolve(`${source}-on-demand`, importer)
      : undefined;
  },
};

async function bundle() {
  rmSync(out, { recursive: true, force: true });
  const { version } = JSON.parse(
    readFileSync(path.join(root, 'packages/sdk/package.json'), 'utf8'),
  );
  const sources = new Map(entries.map((name) => [name, path.join(root, `src/sdk/${name}.ts`)]));
  const files = new Set(sources.values());
  const bundler = await rolldown({
    cwd: root,
    input: Object.fromEntries(sources),
    external: ['dashjs', 'hls.js', 'shaka-player'],
    platform: 'browser',
    // Only entries have side effects, so that an entry loads no unused code.
    treeshake: {
      moduleSideEffects: (id) => (id.includes('node_modules') ? undefined : files.has(id)),
    },
    transform: { target: 'es2022', define: { __VERSION__: JSON.stringify(version) } },
    plugins: [onDemand],
  });
  await bundler.write({
    dir: out,
    format: 'esm',
    minify: true,
    // The package is free of side effects, so a bundler needs no annotations of pure calls.
    comments: { annotation: false },
    chunkFileNames: 'chunks/[name]-[hash].js',
    // Only what is loaded on demand validates. In a shared chunk every entry would load it at once.
    codeSplitting: {
      groups: [
        { name: 'valibot', test: /node_modules\/valibot/ },
        // Modules of less than 500 bytes that entries share: a file for each would cost more than its content.
        {
          name: 'small',
          test: /\/(agent-protocol|feed-error|halving|names\.generated|units)\.ts$/,
        },
      ],
    },
  });
  await shrink();
  execFileSync(process.execPath, ['scripts/api-report.mjs', '--types-only'], {
    cwd: root,
    stdio: 'inherit',
  });
}

/**
 * Minimises rolldown's output once more: both together are 1 to 2 % smaller than either. No getter of the sources
 * has a side effect.
 */
async function shrink() {
  const scripts = readdirSync(out, { recursive: true }).filter((name) => name.endsWith('.js'));
  for (const name of scripts) {
    const file = path.join(out, name);
    const { code } = await minify(readFileSync(file, 'utf8'), {
      module: true,
      ecma: 2022,
      // The two that are off make a file shorter, and larger once gzipped.
      compress: {
        passes: 6,
        pure_getters: true,
        unsafe_arrows: true,
        unsafe_methods: true,
        lhs_constants: false,
        sequences: false,
      },
      format: { comments: false },
    });
    writeFileSync(file, code);
  }
}

/** Every file an entry loads at once, itself first. */
function loadedBy(file, seen = new Set()) {
  if (seen.has(file)) return seen;
  seen.add(file);
  const text = readFileSync(file, 'utf8');
  for (const [, name] of text.matchAll(/(?:from|import)\s*["'`](\.[^"'`]+)["'`]/g)) {
    loadedBy(path.resolve(path.dirname(file), name), seen);
  }
  return seen;
}

/** Bytes a page loads for an entry, gzipped as a server sends each file. */
const gzippedBytes = (entry) =>
  [...loadedBy(path.join(out, `${entry}.js`))]
    .map((file) => gzipSync(readFileSync(file), { level: 9 }).length)
    .reduce((sum, bytes) => sum + bytes, 0);

function checkSizes() {
  let tooLarge = false;
  for (const entry of entries) {
    const bytes = gzippedBytes(entry);
    const limit = budget.gzippedBytes[entry];
    console.log(`sdk ${entry}: ${bytes} of ${limit} bytes gzipped`);
    if (bytes > limit) tooLarge = true;
  }
  const foreign = readdirSync(out, { recursive: true }).filter((name) =>
    /\.(map|o|node)$/.test(name),
  );
  if (foreign.length > 0) console.error(`not for the package: ${foreign.join(', ')}`);
  if (tooLarge) {
    console.error(
      'larger than packages/sdk/size-budget.json allows: shrink it, or raise it on purpose',
    );
  }
  return !tooLarge && foreign.length === 0;
}

if (!values.check) await bundle();
process.exitCode = checkSizes() ? 0 : 1;
