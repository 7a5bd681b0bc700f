// Compiles the native parts and bundles everything into dist/. Usage: npm run build
import { buildBundles, buildNative } from './setup/build.mjs';

buildNative();
buildBundles();
