// Rolls the SDK's types into dist/sdk/index.d.ts and keeps docs/api/sdk.api.md, the committed report of
// what the SDK promises. `--check` fails when the report is not what the code says.
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { Extractor, ExtractorConfig } from '@microsoft/api-extractor';

const root = path.resolve(import.meta.dirname, '..');
const check = process.argv.includes('--check');
mkdirSync(path.join(root, 'docs/api'), { recursive: true });
mkdirSync(path.join(root, '.cache/api'), { recursive: true });

execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig/sdk.json'], {
  cwd: root,
  stdio: 'inherit',
});
const config = ExtractorConfig.prepare({
  configObject: {
    projectFolder: root,
    mainEntryPointFilePath: path.join(root, 'dist/sdk/types/src/sdk/index.d.ts'),
    compiler: { tsconfigFilePath: path.join(root, 'tsconfig/sdk.json') },
    apiReport: {
      enabled: true,
      reportFileName: 'sdk.api.md',
      reportFolder: path.join(root, 'docs/api'),
      reportTempFolder: path.join(root, '.cache/api'),
      includeForgottenExports: true,
    },
    docModel: { enabled: false },
    dtsRollup: { enabled: true, untrimmedFilePath: path.join(root, 'dist/sdk/index.d.ts') },
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
  packageJsonFullPath: path.join(root, 'package.json'),
});
const result = Extractor.invoke(config, { localBuild: !check, showVerboseMessages: false });
if (check && result.apiReportChanged) {
  console.error(
    'docs/api/sdk.api.md is out of date: run `npm run api` and commit it with the change',
  );
}
process.exit(result.succeeded ? 0 : 1);
