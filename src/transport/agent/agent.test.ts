import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AgentHarness } from './testing/agent-harness';

let harness: AgentHarness;
beforeEach(() => {
  harness = new AgentHarness();
});
afterEach(() => harness.dispose());

describe('static files', () => {
  beforeEach(() => harness.start());

  it('serves the page under a strict policy', async () => {
    const { status, headers, body } = await harness.request('/');
    expect([status, body]).toEqual([200, '<!doctype html>page']);
    const policy = String(headers['content-security-policy']);
    const { port } = new URL(harness.agent.origin);
    expect(policy).toContain(`connect-src 'self' http: https: ws://127.0.0.1:${port}`);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain('media-src blob:');
    expect(policy).not.toMatch(/unsafe/);
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect((await harness.request('/page.js?x=1')).headers['content-type']).toMatch(/javascript/);
  });

  it.each([
    '/../secret',
    '/%2e%2e/secret',
    '/sub/../../secret',
    '/..%2fsecret',
    '/..%5csecret',
    '//secret',
    '/link',
    '/.hidden',
    '/sub',
    '/sub/',
    '/page.js%00.html',
    '/%ff',
    '/absent',
  ])('does not serve %s', async (requestPath) => {
    const { status, body } = await harness.request(requestPath);
    expect(status).toBe(404);
    expect(body).not.toContain('secret');
  });

  it('refuses other methods and other names of the host', async () => {
    expect((await harness.request('/', { method: 'POST' })).status).toBe(405);
    expect((await harness.request('/', { headers: { Host: 'evil.example' } })).status).toBe(403);
    expect((await harness.request('/', { method: 'HEAD' })).body).toBe('');
  });
});

describe('who gets in', () => {
  it('needs the token, the origin, the host and the path', async () => {
    await harness.start({ allowedOrigins: ['https://player.example'] });
    const good = `${harness.agent.feedUrl}?token=${harness.agent.token}`;
    const { origin } = harness.agent;
    expect(harness.agent.token).toMatch(/^[0-9a-f]{64}$/);
    expect(await harness.upgradeStatus(harness.agent.feedUrl, { Origin: origin })).toBe(401);
    expect(await harness.upgradeStatus(`${good.slice(0, -1)}x`, { Origin: origin })).toBe(401);
    expect(await harness.upgradeStatus(good, {})).toBe(403);
    expect(await harness.upgradeStatus(good, { Origin: 'https://evil.example' })).toBe(403);
    expect(await harness.upgradeStatus(good, { Origin: 'null' })).toBe(403);
    expect(await harness.upgradeStatus(good, { Origin: origin, Host: 'evil.example' })).toBe(403);
    expect(await harness.upgradeStatus(good.replace('/feed', '/other'), { Origin: origin })).toBe(
      404,
    );
    expect(harness.logs).toEqual([]);
    expect(await harness.upgradeStatus(good, { Origin: 'https://player.example' })).toBe(101);
    expect(await harness.upgradeStatus(good, { Origin: origin })).toBe(101);
  });

  it.each(['//', 'http://', '/feed?token=%', '*', '/%'])(
    'survives an upgrade of %s',
    async (target) => {
      await harness.start();
      const { origin } = harness.agent;
      const expected = target.startsWith('/feed') ? 401 : 404;
      expect(await harness.upgradeTarget(target, { Origin: origin })).toBe(expected);
      expect((await harness.request('/')).status).toBe(200);
    },
  );

  it('keeps the token out of everything but the fragment', async () => {
    await harness.start();
    const url = new URL(harness.agent.pageUrl({ mpd: 'http://x/a.mpd#t', token: 'mine' }));
    expect(url.pathname + url.search).toBe('/');
    const parameters = new URLSearchParams(url.hash.slice(1));
    expect(parameters.get('token')).toBe(harness.agent.token);
    expect(parameters.get('feed')).toBe(harness.agent.feedUrl);
    expect(parameters.get('mpd')).toBe('http://x/a.mpd#t');
  });

  it('lets in only so many pages', async () => {
    await harness.start();
    const pages = Array.from({ length: 8 }, () => harness.connect());
    await Promise.all(pages.map((page) => page.has(2)));
    expect(harness.agent.sessions).toBe(8);
    const url = `${harness.agent.feedUrl}?token=${harness.agent.token}`;
    expect(await harness.upgradeStatus(url, { Origin: harness.agent.origin })).toBe(503);
  });
});
