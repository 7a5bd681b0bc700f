// Writes sbom.cdx.json (CycloneDX): the packages that an installation brings, and those whose code is in the bundles. The
// latter may be development dependencies. Usage: npm run build && node scripts/sbom.mjs
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { bundledPackages } from './package/bundled.mjs';
import { readOptions } from './setup/options.mjs';

readOptions('node scripts/sbom.mjs');

const FILE = 'sbom.cdx.json';
const options = [
  '--package-lock-only',
  '--output-reproducible',
  '--mc-type=application',
  `--output-file=${FILE}`,
];
// Its optional validator of XML has an install script, which JSON does not need.
const npx = ['--yes', '--ignore-scripts', '--no-strict-allow-scripts', '--'];
execFileSync('npx', [...npx, '@cyclonedx/cyclonedx-npm@6.0.1', ...options], { stdio: 'inherit' });

const bundled = bundledPackages();
const fullName = ({ group, name }) => (group === undefined ? name : `${group}/${name}`);
const isDevelopment = ({ properties = [] }) =>
  properties.some(({ name }) => name === 'cdx:npm:package:development');
const isShipped = (one) => !isDevelopment(one) || bundled.has(fullName(one));

const bom = JSON.parse(readFileSync(FILE, 'utf8'));
bom.components = bom.components.filter(isShipped);
const refs = new Set(
  [bom.metadata.component, ...bom.components].flatMap((one) =>
    [one, ...(one.components ?? [])].map((each) => each['bom-ref']),
  ),
);
bom.dependencies = bom.dependencies
  .filter(({ ref }) => refs.has(ref))
  .map(({ ref, dependsOn }) => ({
    ref,
    ...(dependsOn && { dependsOn: dependsOn.filter((one) => refs.has(one)) }),
  }));
writeFileSync(FILE, `${JSON.stringify(bom, undefined, 2)}\n`);
