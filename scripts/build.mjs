// Compiles the native parts and bundles everything into dist/. Usage: npm run build
import { buildBundles, buildNative } from './setup/build.mjs';
import { readOptions } from './setup/options.mjs';
import { run } from './setup/run.mjs';

readOptions('node scripts/build.mjs');

buildNative();
buildBundles();
run(process.execPath, ['scripts/sdk.mjs']);
