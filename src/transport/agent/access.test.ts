import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AGENT_ACCESS_PATH } from '../../ipc';
import type { ConsentAnswer } from './access';
import { ConsentFileError, Consents, toOrigin } from './consents';
import { AgentHarness } from './testing/agent-harness';

const PAGE = 'https://player.example';
let harness: AgentHarness;
beforeEach(() => {
  harness = new AgentHarness();
});
afterEach(() => harness.dispose());

const start = (consent: (origin: string) => Promise<ConsentAnswer>): Promise<void> =>
  harness.start({ access: { origins: [PAGE], consent } });
const ask = (method: string, headers: Record<string, string> = { Origin: PAGE }) =>
  harness.request(AGENT_ACCESS_PATH, { method, headers });

describe('a page that asks for a token', () => {
  it('gets one that opens the feed, once', async () => {
    await start(() => Promise.resolve('granted'));
    const { status, headers, body } = await ask('POST');
    expect(status).toBe(200);
    expect(headers['access-control-allow-origin']).toBe(PAGE);
    expect(headers.vary).toBe('Origin');
    const { feedUrl, token } = JSON.parse(body) as { feedUrl: string; token: string };
    expect(feedUrl).toBe(harness.agent.feedUrl);
    const url = `${feedUrl}?token=${token}`;
    // A token is not enough for another origin.
    expect(await harness.upgradeStatus(url, { Origin: 'https://evil.example' })).toBe(403);
    expect(await harness.upgradeStatus(url, { Origin: PAGE })).toBe(101);
    expect(await harness.upgradeStatus(url, { Origin: PAGE })).toBe(401);
  });

  it.each([
    ['denied', 'does not want'],
    ['unanswered', '--grant'],
  ] as const)('gets none when the answer is %s', async (answer, says) => {
    await start(() => Promise.resolve(answer));
    const { status, body } = await ask('POST');
    expect(status).toBe(403);
    expect((JSON.parse(body) as { error: string }).error).toContain(says);
  });

  it('is answered by CORS and by private network access, its own origin only', async () => {
    await start(() => Promise.resolve('granted'));
    const preflight = await ask('OPTIONS', {
      Origin: PAGE,
      'Access-Control-Request-Private-Network': 'true',
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers).toMatchObject({
      'access-control-allow-origin': PAGE,
      'access-control-allow-private-network': 'true',
      'access-control-allow-methods': 'POST',
    });
    for (const origin of ['https://evil.example', 'null', `${PAGE}.evil.example`]) {
      const { status, headers, body } = await ask('POST', { Origin: origin });
      expect([status, body]).toEqual([403, '']);
      expect(headers).not.toHaveProperty('access-control-allow-origin');
    }
    expect((await ask('POST', {})).status).toBe(403);
    expect((await ask('GET')).status).toBe(405);
  });

  it('is told that its agent failed, which reports the reason, if the consents cannot be read', async () => {
    const reasons: string[] = [];
    const consent = (): never => {
      throw new ConsentFileError('consents.json is damaged');
    };
    const access = { origins: [PAGE], consent };
    await harness.start({ access, onRefused: (reason) => reasons.push(reason) });
    expect((await ask('POST')).status).toBe(500);
    expect(reasons.join()).toContain('consents.json is damaged');
  });

  it('asks the user once, however often it asks', async () => {
    let questions = 0;
    let answer: (said: ConsentAnswer) => void = () => undefined;
    await start(() => {
      questions += 1;
      return new Promise((resolve) => (answer = resolve));
    });
    const both = [ask('POST'), ask('POST')];
    await expect.poll(() => questions).toBe(1);
    // Both requests are there before the answer is.
    await new Promise((resolve) => setTimeout(resolve, 100));
    answer('granted');
    expect((await Promise.all(both)).map(({ status }) => status)).toEqual([200, 200]);
    expect(questions).toBe(1);
  });
});

describe('consents', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'mpd-consents-'));
  const file = path.join(folder, 'config/consents.json');
  afterEach(() => rmSync(path.dirname(file), { recursive: true, force: true }));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('are kept for their owner alone, and taken back', () => {
    const consents = new Consents(file);
    expect(consents.has(PAGE)).toBe(false);
    consents.grant(PAGE, new Date(0));
    expect(new Consents(file).has(PAGE)).toBe(true);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    // A file that somebody opened to others is closed again by the next change.
    chmodSync(file, 0o644);
    consents.grant('http://localhost:8080', new Date(1));
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(consents.revoke(PAGE)).toBe(true);
    expect(consents.revoke(PAGE)).toBe(false);
    expect(readFileSync(file, 'utf8')).not.toContain(PAGE);
    expect(new Consents(file).list().map(({ origin }) => origin)).toEqual([
      'http://localhost:8080',
    ]);
  });

  it('are refused whole where the file is damaged', () => {
    const consents = new Consents(file);
    consents.grant(PAGE, new Date(0));
    writeFileSync(file, '{"origins":[{"origin":1}]}');
    expect(() => consents.has(PAGE)).toThrow(ConsentFileError);
    expect(() => consents.has(PAGE)).toThrow(file);
  });
});

it.each([
  ['https://player.example', 'https://player.example'],
  ['http://localhost:5173', 'http://localhost:5173'],
  ['https://player.example/', undefined],
  ['https://PLAYER.example', undefined],
  ['https://player.example:443', undefined],
  ['file:///tmp', undefined],
  ['*', undefined],
])('takes %s for the origin %s', (text, origin) => {
  expect(toOrigin(text)).toBe(origin);
});
