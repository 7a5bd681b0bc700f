import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ensureClip } from '../support/clip';
import { root } from '../support/electron';
import { serveTree } from '../support/static-server';
import { expect, test as base } from '../player/fixtures';
import { sdkFixture, type SdkFixtures } from './fixtures';

const test = base.extend<object, SdkFixtures>({
  sdk: [...sdkFixture],
});

test.setTimeout(180_000);

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

test('an allowed page gets path data after consent, and none after it was revoked', async ({
  sdk,
  media,
  page,
}) => {
  const site = await serveTree(path.join(sdk.folder, 'dist'));
  const config = mkdtempSync(path.join(tmpdir(), 'mpd-agent-e2e-'));
  const port = await freePort();
  const agent = (...options: string[]) =>
    spawn(process.execPath, ['bin/multipath-dash.mjs', 'agent', ...options], {
      cwd: root,
      env: { ...process.env, XDG_CONFIG_HOME: config },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
  const done = (child: ReturnType<typeof agent>): Promise<number | null> =>
    new Promise((resolve) => child.on('exit', resolve));
  const service = agent('--allow-origin', site.origin, '--port', String(port), '--no-path-control');
  const ended = done(service);
  await new Promise((resolve) => service.stdout.once('data', resolve));
  try {
    const url = `${media.origin}/${path.basename(ensureClip())}`;
    const address = `${site.origin}/#${new URLSearchParams({ url, port: String(port) }).toString()}`;

    await page.goto(address);
    await expect(page.locator('body')).toHaveAttribute('data-failure', /has not consented/);

    expect(await done(agent('--grant', site.origin))).toBe(0);
    await page.goto('about:blank');
    await page.goto(address);
    // The test's browser speaks plain TCP or MPTCP; either way somebody watches.
    await expect(page.getByRole('status')).not.toContainText('No path data', { timeout: 30_000 });

    expect(await done(agent('--revoke', site.origin))).toBe(0);
    await page.goto('about:blank');
    await page.goto(address);
    await expect(page.locator('body')).toHaveAttribute('data-failure', /has not consented/);
  } finally {
    service.kill('SIGTERM');
    expect(await ended).toBe(0);
    await site.close();
    rmSync(config, { recursive: true, force: true });
  }
});
