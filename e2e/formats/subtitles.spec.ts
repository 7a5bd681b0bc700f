import { watch } from './compare';
import { expectFed } from './log-checks';
import { ensurePackaged, type PackagedFilm } from './packaged';
import { nightly } from '../support/nightly';
import { expect, test } from './side-by-side';

const media = JSON.stringify({ textLanguage: 'en' });
const patience = { timeout: 60_000 };

const hasCue = (): boolean =>
  [...(document.querySelector('video')?.textTracks ?? [])].some(
    ({ mode, activeCues }) => mode === 'showing' && (activeCues?.length ?? 0) > 0,
  );

interface Missing {
  title: string;
  film: PackagedFilm;
  file: RegExp;
  /** Other subtitles are shown. */
  isShown?: boolean;
  variant?: boolean;
}

const faults: readonly Missing[] = [
  {
    title: 'one segment',
    film: 'subtitles',
    file: /chunk-stream3-2\.m4s/,
    isShown: true,
  },
  {
    title: 'the initialization',
    film: 'subtitles',
    file: /init-stream3/,
    variant: true,
  },
  { title: 'their only file', film: 'tracks', file: /en\.vtt/ },
];

for (const { title, film, file, isShown, variant } of faults) {
  test(
    `the film goes on without ${title} of the subtitles`,
    variant === true ? nightly : {},
    async ({ server, play }) => {
      server.film('film', ensurePackaged(film));
      server.fault(file, { status: 404 });
      const ours = await play('ours', 'film/stream.mpd', { media });
      await watch([ours], 2);
      await expect.poll(() => ours.codes(), patience).toEqual(['subtitles-unavailable']);
      await expect.poll(() => ours.positionSeconds(), patience).toBeGreaterThan(7);
      expect(server.asked.filter((path) => file.test(path))).toHaveLength(3);
      expect(ours.codes()).toEqual(['subtitles-unavailable']);
      expect(ours.fatal()).toBe(false);
      expect(await ours.page.evaluate(hasCue)).toBe(isShown === true);
      expectFed(ours.log);
    },
  );
}
