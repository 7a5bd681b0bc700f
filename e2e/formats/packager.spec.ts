import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expectNoWorse, watch } from './compare';
import { expectHonestLog } from './log-checks';
import { CUE_SECONDS, KEY, KEY_ID, ensurePackaged, type PackagedFilm } from './packaged';
import { nightly } from '../support/nightly';
import { expect, test, type PlayingPair } from './side-by-side';

const media = JSON.stringify({ keys: { [KEY_ID]: KEY } });

const films: readonly [title: string, film: PackagedFilm, parameters: Record<string, string>][] = [
  ['SegmentBase with one sidx', 'tracks', {}],
  ['$Time$', 'time', {}],
  ['a period for each cue', 'cues', {}],
  ['ClearKey with keys given', 'clear-key', { media }],
  ['Widevine’s pssh alone, with keys given', 'widevine', { media }],
];

/** The others are their variants. */
const inEveryTest: ReadonlySet<PackagedFilm> = new Set(['tracks', 'clear-key']);

for (const [title, film, parameters] of films) {
  test(
    `Shaka Packager: ${title}`,
    inEveryTest.has(film) ? {} : nightly,
    async ({ server, playPair }) => {
      server.film('film', ensurePackaged(film));
      const check = ({ ours }: PlayingPair): void => {
        expect(ours.codes()).toEqual([]);
        expectHonestLog(ours.log);
        expect(JSON.stringify(ours.log)).not.toContain(KEY);
        // One file for all segments has an index, which is no media.
        const indices = ours.log.filter(
          (event) => event.type === 'request' && event.kind === 'index',
        );
        expect(indices.length > 0).toBe(server.asked.some((asked) => asked.endsWith('.mp4')));
      };
      const seconds = film === 'cues' ? CUE_SECONDS + 2 : 4;
      await expectNoWorse(() => playPair('film/stream.mpd', seconds, check, parameters));
    },
  );
}

test('an encrypted stream without a key ends with advice', async ({ server, play }) => {
  server.film('clear-key', ensurePackaged('clear-key'));
  server.film('widevine', ensurePackaged('widevine'));
  const players = await Promise.all([
    play('ours', 'clear-key/stream.mpd'),
    play('ours', 'widevine/stream.mpd'),
  ]);
  for (const { log } of players) {
    const failure = (): string =>
      log.map((event) => (event.type === 'error' && event.fatal ? event.message : '')).join('');
    await expect.poll(failure, { timeout: 60_000 }).toMatch(/encrypted/);
  }
  const [, widevine] = players;
  const messages = widevine.log.map((event) => (event.type === 'error' ? event.message : ''));
  expect(messages.join(' ')).toContain('Widevine');
});

test(
  'audio and subtitles come in the language and role of the options',
  nightly,
  async ({ server, play }) => {
    server.film('film', ensurePackaged('tracks'));
    const byLanguage = { media: JSON.stringify({ audioLanguage: 'de', textLanguage: 'de' }) };
    const german = await play('ours', 'film/stream.mpd', byLanguage);
    await expect.poll(() => server.asked).toContain('/film/de.vtt');
    // stream3 is the German audio, stream2 the English one.
    await expect.poll(() => server.asked).toContain('/film/stream3.mp4');
    await expect.poll(() => german.page.evaluate(shownCues)).toContain('Guten Tag');
    expect(server.asked).not.toContain('/film/stream2.mp4');
    expect(german.codes()).toEqual([]);

    const role = JSON.stringify({ audioRole: 'commentary' });
    const before = server.asked.length;
    const commentary = await play('ours', 'film/stream.mpd', { media: role });
    await expect.poll(() => server.asked.slice(before)).toContain('/film/stream3.mp4');
    expect(commentary.codes()).toEqual([]);
  },
);

function shownCues(): string {
  const tracks = [...(document.querySelector('video')?.textTracks ?? [])];
  const cues = tracks
    .filter(({ mode }) => mode === 'showing')
    .flatMap(({ activeCues }) => [...(activeCues ?? [])]);
  return cues.map((cue) => (cue as VTTCue).text).join(' ');
}

test(
  'TTML is drawn over the picture, and thumbnails disturb nothing',
  nightly,
  async ({ server, play }) => {
    const folder = ensurePackaged('tracks');
    const ttml = `<tt xmlns="http://www.w3.org/ns/ttml" xml:lang="fr"><body><div><p begin="0s" end="20s">Bonjour</p></div></body></tt>`;
    const french = `<AdaptationSet id="8" contentType="text" mimeType="application/ttml+xml" lang="fr"><Representation id="fr" bandwidth="500"><BaseURL>${server.origin}/fr.ttml</BaseURL></Representation></AdaptationSet>`;
    const thumbnails = `<AdaptationSet id="9" contentType="image" mimeType="image/jpeg"><SegmentTemplate media="tile-$Number$.jpg" duration="10" startNumber="1"/><Representation id="tiles" bandwidth="5000" width="1024" height="576"><EssentialProperty schemeIdUri="http://dashif.org/guidelines/thumbnail_tile" value="4x4"/></Representation></AdaptationSet>`;
    const manifest = readFileSync(path.join(folder, 'stream.mpd'), 'utf8')
      .replace('<Period', `<BaseURL>${server.origin}/film/</BaseURL><Period`)
      .replace('</Period>', `${french}${thumbnails}</Period>`);
    server.film('film', folder);
    server.page('fr.ttml', () => ttml);
    server.page('more.mpd', () => manifest);
    const ours = await play('ours', 'more.mpd', { media: JSON.stringify({ textLanguage: 'fr' }) });
    await watch([ours], 2);
    expect(ours.codes()).toEqual([]);
    expectHonestLog(ours.log);
    await expect(ours.page.locator('#subtitles')).toContainText('Bonjour');
  },
);
