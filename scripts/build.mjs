// Compiles the native parts and bundles everything into dist/. Usage: npm run build
import { buildBundles, buildNative } from './setup/build.mjs';
import { run } from './setup/run.mjs';

buildNative();
buildBundles();
run(process.execPath, ['scripts/sdk.mjs']);
