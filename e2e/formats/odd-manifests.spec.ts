import { createServer as createHttpServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { selfSigned } from '../../src/fetch/testing/self-signed';
import { nightly } from '../support/nightly';
import { staticManifest } from './manifests';
import { ensureFilm } from './media';
import { expect, test } from './side-by-side';

const GOOD = staticManifest([
  {
    baseUrls: ['/film/'],
    startSeconds: 0,
    durationSeconds: 60,
    startNumber: 1,
    bitratesBps: [200_000, 600_000],
  },
]);
/** Entities that a parser would expand to 3 GB. */
const BOMB = `<!DOCTYPE MPD [<!ENTITY a "${'x'.repeat(100)}">${'abcdefgh'
  .split('')
  .slice(1)
  .map((name, index) => `<!ENTITY ${name} "${`&${'abcdefgh'[index]};`.repeat(10)}">`)
  .join('')}]>`;

const broken: Record<string, string> = {
  'empty.mpd': '',
  'truncated.mpd': GOOD.slice(0, GOOD.indexOf('<Period')),
  'cut-set.mpd': GOOD.slice(0, GOOD.indexOf('<Representation id="1"')),
  'cut-tag.mpd': GOOD.slice(0, GOOD.indexOf('bandwidth="600000"')),
  'cut-end.mpd': GOOD.slice(0, GOOD.lastIndexOf('</MPD>')),
  'page.mpd': '<!doctype html><html><body>Not found</body></html>',
  'json.mpd': '{"error":"not found"}',
  'no-period.mpd': GOOD.replace(/<Period[^]*<\/Period>/, ''),
};

test('malformed manifests end with a clear error', async ({ server, play }) => {
  for (const [name, content] of Object.entries(broken)) server.page(name, () => content);
  const players = await Promise.all(Object.keys(broken).map((name) => play('ours', name)));
  for (const [index, { log }] of players.entries()) {
    const fatal = (): string[] =>
      log.flatMap((event) => (event.type === 'error' && event.fatal ? [event.code] : []));
    const name = Object.keys(broken)[index] ?? '';
    await expect.poll(fatal, { timeout: 60_000, message: name }).not.toEqual([]);
    expect(fatal()[0], name).toMatch(/^manifest-/);
    expect(log.some((event) => event.type === 'startup')).toBe(false);
  }
});

test(
  'a DTD, a huge manifest and one with 5,000 segments play, or report why not',
  nightly,
  async ({ server, play }) => {
    server.film('film', ensureFilm('number'));
    const entries = Array.from({ length: 5000 }, (_, at) => `<S t="${at * 2}" d="2"/>`).join('');
    const timeline = GOOD.replaceAll(/ duration="2"/g, '').replaceAll(
      /(\$Number%05d\$\.m4s")\/>/g,
      `$1><SegmentTimeline>${entries}</SegmentTimeline></SegmentTemplate>`,
    );
    const pages: Record<string, string> = {
      'dtd.mpd': GOOD.replace('?>', `?>${BOMB}`).replace('<Period', '<Title>&h;</Title><Period'),
      'timeline.mpd': timeline,
      'huge.mpd': GOOD.replace('<Period', `<!--${'x'.repeat(10e6)}--><Period`),
    };
    for (const [name, content] of Object.entries(pages)) server.page(name, () => content);
    const players = await Promise.all(Object.keys(pages).map((name) => play('ours', name)));
    for (const [index, player] of players.entries()) {
      const outcome = (): string[] =>
        player.log.flatMap((event) => {
          if (event.type === 'startup') return ['plays'];
          return event.type === 'error' && event.fatal ? [event.code] : [];
        });
      const name = Object.keys(pages)[index] ?? '';
      await expect.poll(outcome, { timeout: 60_000, message: name }).not.toEqual([]);
      expect(outcome()[0], name).toMatch(/^(plays|manifest-)/);
    }
  },
);

test('an untrusted certificate and a missing permission are distinguished', async ({ play }) => {
  const tls = createTlsServer(selfSigned(), (_, response) => {
    response.setHeader('Access-Control-Allow-Origin', '*').end(GOOD);
  });
  const withoutPermission = createHttpServer((_, response) => void response.end(GOOD));
  const servers = [tls, withoutPermission];
  try {
    const ports = await Promise.all(
      servers.map(async (one) => {
        await new Promise<void>((resolve) => one.listen(0, '127.0.0.1', resolve));
        return (one.address() as AddressInfo).port;
      }),
    );
    const urls = [`https://localhost:${ports[0]}/a.mpd`, `http://127.0.0.1:${ports[1]}/a.mpd`];
    const players = await Promise.all(urls.map((mpd) => play('ours', '', { mpd })));
    const messages = players.map(({ log }) => (): string => {
      const found = log.find((event) => event.type === 'error' && event.fatal);
      return found?.type === 'error' ? found.message : '';
    });
    const [certificate, permission] = messages;
    await expect.poll(() => certificate?.(), { timeout: 60_000 }).toContain('self-signed');
    expect(certificate?.()).not.toContain('cross-origin');
    await expect
      .poll(() => permission?.(), { timeout: 60_000 })
      .toContain('Access-Control-Allow-Origin');
    expect(permission?.()).not.toContain('certificate');
    const [untrusted] = players;
    if (untrusted) await expect(untrusted.page.locator('body')).toContainText('self-signed');
  } finally {
    for (const one of servers) {
      one.closeAllConnections();
      one.close();
    }
  }
});
