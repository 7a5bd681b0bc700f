import { once } from 'node:events';
import net from 'node:net';
import { setImmediate } from 'node:timers/promises';
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

  it('refuses other methods and foreign host names', async () => {
    expect((await harness.request('/', { method: 'POST' })).status).toBe(405);
    expect((await harness.request('/', { headers: { Host: 'evil.example' } })).status).toBe(403);
    expect((await harness.request('/', { method: 'HEAD' })).body).toBe('');
  });
});

describe('admission', () => {
  it('needs the token, the origin, the host and the path', async () => {
    await harness.start({
      access: { origins: ['https://player.example'], consent: () => Promise.resolve('granted') },
    });
    const token = harness.agent.issueToken();
    const good = `${harness.agent.feedUrl}?token=${token}`;
    const { origin } = harness.agent;
    expect(token).toMatch(/^[0-9a-f]{64}$/);
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
    const another = `${harness.agent.feedUrl}?token=${harness.agent.issueToken()}`;
    expect(await harness.upgradeStatus(another, { Origin: origin })).toBe(101);
  });

  it('accepts each token once, and each reload cookie once', async () => {
    await harness.start();
    const { origin } = harness.agent;
    const url = `${harness.agent.feedUrl}?token=${harness.agent.issueToken()}`;
    const [cookie = ''] = await harness.upgradeCookies(url, { Origin: origin });
    expect(cookie).toMatch(/; HttpOnly; SameSite=Strict; Path=\/feed$/);
    expect(await harness.upgradeStatus(url, { Origin: origin })).toBe(401);
    const back = { Origin: origin, Cookie: cookie.split(';', 1)[0] ?? '' };
    expect(await harness.upgradeStatus(url, { ...back, Origin: 'https://evil.example' })).toBe(403);
    expect(await harness.upgradeStatus(url, back)).toBe(101);
    expect(await harness.upgradeStatus(url, back)).toBe(401);
  });

  it('accepts a token again if its page left before its first message', async () => {
    await harness.start();
    const token = harness.agent.issueToken();
    const reloaded = harness.connect(token);
    await once(reloaded.socket, 'open');
    reloaded.socket.terminate();
    await expect.poll(() => harness.agent.sessions).toBe(0);

    const page = harness.connect(token);
    await once(page.socket, 'open');
    const url = `${harness.agent.feedUrl}?token=${token}`;
    const { origin } = harness.agent;
    expect(await harness.upgradeStatus(url, { Origin: origin })).toBe(401);
    page.socket.send('{}');
    page.socket.close();
    await expect.poll(() => harness.agent.sessions).toBe(0);
    expect(await harness.upgradeStatus(url, { Origin: origin })).toBe(401);
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

  it('keeps the token in the fragment only', async () => {
    await harness.start();
    const url = new URL(harness.agent.pageUrl({ mpd: 'http://x/a.mpd#t', token: 'mine' }));
    expect(url.pathname + url.search).toBe('/');
    const parameters = new URLSearchParams(url.hash.slice(1));
    const token = parameters.get('token') ?? '';
    expect(token).toMatch(/^[0-9a-f]{64}$/);
    expect(harness.agent.pageUrl()).not.toContain(token);
    expect(harness.agent.startUrl).not.toMatch(/[#?]/);
    expect((await harness.request('/start')).status).toBe(200);
    expect(parameters.get('feed')).toBe(harness.agent.feedUrl);
    expect(parameters.get('mpd')).toBe('http://x/a.mpd#t');
  });

  it('limits the number of pages', async () => {
    await harness.start();
    const pages = Array.from({ length: 8 }, () => harness.connect());
    await Promise.all(pages.map((page) => page.has(2)));
    expect(harness.agent.sessions).toBe(8);
    const url = `${harness.agent.feedUrl}?token=${harness.agent.issueToken()}`;
    expect(await harness.upgradeStatus(url, { Origin: harness.agent.origin })).toBe(503);
    // A full agent does not use up the token.
    pages[0]?.socket.close();
    await expect.poll(() => harness.agent.sessions).toBe(7);
    expect(await harness.upgradeStatus(url, { Origin: harness.agent.origin })).toBe(101);
  });

  it('limits how often a page may begin a log', async () => {
    await harness.start();
    let isRefused = false;
    for (let count = 0; count < 60 && !isRefused; count += 1) {
      const page = harness.connect();
      await Promise.race([page.has(1), page.closed]);
      isRefused = page.received.length === 0;
      page.socket.close();
      await page.closed;
    }
    expect(isRefused).toBe(true);
    const url = `${harness.agent.feedUrl}?token=${harness.agent.issueToken()}`;
    expect(await harness.upgradeStatus(url, { Origin: harness.agent.origin })).toBe(429);
  });
});

describe('a refused client that stays', () => {
  /** Opens a connection that is never read here, and asks for an upgrade that is refused. */
  const refuseOne = async (): Promise<net.Socket> => {
    const { port } = new URL(harness.agent.origin);
    const socket = net.connect({ port: Number(port), host: '127.0.0.1', allowHalfOpen: true });
    const lines = ['GET /feed?token=wrong HTTP/1.1', `Host: 127.0.0.1:${port}`];
    lines.push('Connection: Upgrade', 'Upgrade: websocket', '', '');
    socket.write(lines.join('\r\n'));
    socket.on('error', () => undefined);
    await once(socket, 'readable');
    socket.end('bytes that nobody reads');
    return socket;
  };

  it('occupies no connection that another client needs', async () => {
    await harness.start();
    for (let count = 0; count < 70; count += 1) await refuseOne();
    expect((await harness.request('/')).status).toBe(200);
  });

  it('does not delay the end', async () => {
    await harness.start();
    const socket = await refuseOne();
    await harness.agent.close();
    socket.destroy();
  });
});

describe('closing', () => {
  // The agent looks up the owner of a connection for some 16 turns of the event loop.
  it.each([0, 3, 6, 9, 12, 15])(
    'does not wait for a page that connects %i turns earlier',
    async (turns) => {
      await harness.start();
      const page = harness.connect();
      for (let turn = 0; turn < turns; turn += 1) await setImmediate();
      await harness.agent.close();
      await page.closed;
      expect(harness.agent.sessions).toBe(0);
    },
  );
});
