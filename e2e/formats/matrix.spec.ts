import { expectNoWorse } from './compare';
import { expectHonestLog } from './log-checks';
import { staticManifest } from './manifests';
import { ensureFilm, type FilmName } from './media';
import { nightly } from '../support/nightly';
import { expect, test } from './side-by-side';

const films: readonly [title: string, film: FilmName, details: object][] = [
  ['$Number$', 'number', {}],
  ['SegmentTimeline', 'timeline', nightly],
  ['SegmentList with byte ranges', 'single-file', nightly],
  ['CMAF chunks on demand', 'chunked', nightly],
];

for (const [title, film, details] of films) {
  test(`on demand: ${title}`, details, async ({ server, playPair }) => {
    server.film('film', ensureFilm(film));
    await expectNoWorse(() =>
      playPair('film/stream.mpd', 5, ({ ours }) => {
        expect(ours.codes()).toEqual([]);
        expectHonestLog(ours.log);
      }),
    );
  });
}

test('redirects, gzip, chunked answers and closed connections', async ({ server, playPair }) => {
  server.film('film', ensureFilm('number'));
  const plan = { startSeconds: 0, durationSeconds: 60, startNumber: 1 };
  const bitratesBps = [200_000, 600_000];
  server.page('film.mpd', () =>
    staticManifest([{ ...plan, baseUrls: [`${server.origin}/moved/`], bitratesBps }]),
  );
  server.fault(/^\/old\//, { redirectTo: '/' });
  server.fault(/^\/moved\//, { redirectTo: '/film/' });
  server.fault(/\.mpd$/, 'gzip');
  server.fault(/\.m4s$/, 'chunked');
  await expectNoWorse(() =>
    playPair('old/film.mpd', 4, ({ ours }) => {
      expect(ours.codes()).toEqual([]);
      expectHonestLog(ours.log);
    }),
  );
});
