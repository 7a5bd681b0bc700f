// Rolls the types of the SDK's entries into packages/sdk/dist and updates docs/api, the committed report of the SDK's
// public API. `--check` fails if a report differs from the code; `--types-only` skips the reports.
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { Extractor, ExtractorConfig } from '@microsoft/api-extractor';
import { readOptions } from './setup/options.mjs';

const root = path.resolve(import.meta.dirname, '..');
const USAGE = `node scripts/api-report.mjs [--check] [--types-only]

  --check       fails if a report differs from the code
  --types-only  writes no reports`;
const flag = { type: 'boolean', default: false };
const values = readOptions(USAGE, { check: flag, 'types-only': flag });
const { check, 'types-only': typesOnly } = values;
/** Entry of the package: name of its report. */
const entries = {
  index: 'sdk',
  panel: 'sdk-panel',
  shaka: 'sdk-shaka',
  hls: 'sdk-hls',
  core: 'sdk-core',
};
mkdirSync(path.join(root, 'docs/api'), { recursive: true });
mkdirSync(path.join(root, '.cache/api'), { recursive: true });

execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig/sdk.json'], {
  cwd: root,
  stdio: 'inherit',
});

function extract([entry, report]) {
  const config = ExtractorConfig.prepare({
    configObject: {
      projectFolder: root,
      mainEntryPointFilePath: path.join(root, `.cache/types/sdk/src/sdk/${entry}.d.ts`),
      compiler: { tsconfigFilePath: path.join(root, 'tsconfig/sdk.json') },
      apiReport: {
        enabled: !typesOnly,
        reportFileName: `${report}.api.md`,
        reportFolder: path.join(root, 'docs/api'),
        reportTempFolder: path.join(root, '.cache/api'),
        includeForgottenExports: true,
      },
      docModel: { enabled: false },
      dtsRollup: {
        enabled: true,
        untrimmedFilePath: path.join(root, `packages/sdk/dist/${entry}.d.ts`),
      },
      tsdocMetadata: { enabled: false },
      newlineKind: 'lf',
      messages: {
        extractorMessageReporting: {
          default: { logLevel: 'none' },
          'ae-forgotten-export': { logLevel: 'none' },
        },
        compilerMessageReporting: { default: { logLevel: 'error' } },
        tsdocMessageReporting: { default: { logLevel: 'none' } },
      },
    },
    configObjectFullPath: path.join(root, 'api-extractor.json'),
    packageJsonFullPath: path.join(root, 'packages/sdk/package.json'),
  });
  const result = Extractor.invoke(config, {
    localBuild: !check || typesOnly,
    showVerboseMessages: false,
  });
  if (check && result.apiReportChanged) {
    console.error(
      `docs/api/${report}.api.md is out of date: run \`npm run api\` and commit it with the change`,
    );
  }
  return result.succeeded;
}

process.exit(Object.entries(entries).map(extract).every(Boolean) ? 0 : 1);
