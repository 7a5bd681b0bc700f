import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { ensureClip } from '../support/clip';
import { root } from '../support/electron';
import { serveTree } from '../support/static-server';
import { expect, test as base } from '../player/fixtures';
import { sdkFixture, type SdkFixtures } from './fixtures';
import { codeBlocks, firstReport } from './installed-package';

const test = base.extend<object, SdkFixtures>({
  sdk: [...sdkFixture],
});

test.setTimeout(300_000);

const TSC = 'typescript/bin/tsc';

async function playedTo(page: Page, seconds: number): Promise<void> {
  const position = (): Promise<number> =>
    page.evaluate(() => document.querySelector('video')?.currentTime ?? 0);
  await expect.poll(position, { timeout: 60_000 }).toBeGreaterThan(seconds);
}

test('holds modules and types, and nothing else', ({ sdk }) => {
  const kinds = new Set(sdk.packed.map((name) => name.replace(/.*?((\.d)?\.[^./]+)$/, '$1')));
  expect([...kinds].sort()).toEqual(['.d.ts', '.js', '.json', '.md', 'LICENSE']);
  expect(sdk.tarballBytes).toBeLessThan(150_000);
  const manifest = JSON.parse(
    readFileSync(path.join(sdk.folder, 'node_modules/@multipath-dash/sdk/package.json'), 'utf8'),
  ) as Record<string, unknown>;
  expect(manifest).not.toHaveProperty('os');
  expect(manifest).not.toHaveProperty('dependencies');
});

test('can be imported on a server, every entry', ({ sdk }) => {
  const names = ['', '/panel', '/shaka', '/hls', '/core'].map(
    (entry) => `@multipath-dash/sdk${entry}`,
  );
  const program = `
    const all = await Promise.all(${JSON.stringify(names)}.map((name) => import(name)));
    const refused = await all[0].createMultipathPlayer({}).catch((error) => error.message);
    console.log(all.map((one) => Object.keys(one).length > 0).join(), refused);
  `;
  const file = path.join(sdk.folder, 'server.mjs');
  writeFileSync(file, program);
  // Nothing of a player is loaded, which would ask for a DOM.
  expect(sdk.run(path.relative(path.join(root, 'node_modules'), file)).trim()).toBe(
    'true,true,true,true,true video: is missing',
  );
});

test('has types for both ways of resolving modules, and examples that compile', ({ sdk }) => {
  const snippets = path.join(sdk.folder, 'snippets');
  mkdirSync(snippets);
  const dist = path.join(sdk.folder, 'node_modules/@multipath-dash/sdk/dist');
  const files = [
    ...['README.md', 'src/sdk/README.md', 'packages/sdk/README.md', 'docs/agent.md'].map((name) =>
      path.join(root, name),
    ),
    ...readdirSync(dist)
      .filter((name) => name.endsWith('.d.ts'))
      .map((name) => path.join(dist, name)),
  ];
  const found = files.map((file) => codeBlocks(file));
  for (const [index, blocks] of found.entries()) {
    for (const [number, block] of blocks.entries()) {
      writeFileSync(path.join(snippets, `${index}-${number}.ts`), `${block}\nexport {};\n`);
    }
  }
  // README, the SDK's two, and an example for each function that makes a player.
  expect(found.flat().length).toBeGreaterThanOrEqual(10);
  sdk.run(TSC, '-p', '.');
  sdk.run(TSC, '-p', 'tsconfig.node16.json');
});

test('is built by Vite and plays; the papers stay out until one is asked for', async ({
  sdk,
  media,
  page,
}) => {
  const built = await serveTree(path.join(sdk.folder, 'dist'));
  const requested: string[] = [];
  page.on('request', (request) => void requested.push(request.url()));
  const url = `${media.origin}/${path.basename(ensureClip())}`;
  await page.goto(`${built.origin}/#${new URLSearchParams({ url }).toString()}`);
  await playedTo(page, 2);
  await expect(page.getByRole('status')).toContainText('No path data');
  expect(requested.filter((one) => one.includes('genetic'))).toEqual([]);
  await page.evaluate(async () => {
    const { multipath } = window as unknown as {
      multipath: { setPolicy(name: string): Promise<void> };
    };
    await multipath.setPolicy('genetic');
  });
  expect(requested.filter((one) => one.includes('genetic'))).toHaveLength(1);
  const misused = await page.evaluate(async () => {
    const { multipath } = window as unknown as {
      multipath: { load(url: string): Promise<void>; destroy(): void };
    };
    const refusal = (url: string): Promise<string> =>
      multipath.load(url).then(
        () => 'loaded',
        (error: unknown) => String(error),
      );
    const all = [await refusal(''), await refusal('other.mpd')];
    multipath.destroy();
    multipath.destroy();
    return all;
  });
  expect(misused).toEqual([
    'OptionError: url: expected the address of a manifest, got ""',
    'Error: load() was called before: create a new player',
  ]);
  await built.close();
});

test('plays from a page with an import map', async ({ sdk, media, page }) => {
  const server = await serveTree(sdk.folder);
  const url = `${media.origin}/${path.basename(ensureClip())}`;
  await page.goto(`${server.origin}/import-map.html#${new URLSearchParams({ url }).toString()}`);
  await playedTo(page, 2);
  await server.close();
});

test("the command's package is small and holds nothing that was left over", () => {
  const text = execFileSync('npm', ['pack', '--dry-run', '--ignore-scripts', '--json'], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const { size, files } = firstReport(text);
  const names = files.map((file) => file.path);
  expect(names.filter((name) => /\.(map|o|d)$|^native\/build|^dist\/sdk/.test(name))).toEqual([]);
  for (const name of ['bin/multipath-dash.mjs', 'dist/cli/multipath-dash.cjs', 'native/Makefile']) {
    expect(names).toContain(name);
  }
  const prebuilt = files.filter((file) => file.path.startsWith('prebuilds/'));
  const prebuiltBytes = prebuilt.reduce((sum, file) => sum + file.size, 0);
  expect(size - prebuiltBytes).toBeLessThan(3_000_000);
});

test('stays within its budget', () => {
  const { gzippedBytes } = JSON.parse(
    readFileSync(path.join(root, 'packages/sdk/size-budget.json'), 'utf8'),
  ) as { gzippedBytes: Record<string, number> };
  expect(gzippedBytes['index']).toBeLessThanOrEqual(45_000);
  expect(statSync(path.join(root, 'packages/sdk/dist/index.js')).size).toBeGreaterThan(0);
});
