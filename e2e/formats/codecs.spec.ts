import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expectHonestLog } from './log-checks';
import { ensureFilm } from './media';
import { nightly } from '../support/nightly';
import { expect, test } from './side-by-side';

/** Three seconds of the film. */
const FRAMES = 72;

/** The type of the first rung, to ask the browser whether it decodes it. */
function videoType(folder: string): string {
  const manifest = readFileSync(path.join(folder, 'stream.mpd'), 'utf8');
  const [, mimeType = '', codec = ''] =
    /mimeType="(video[^"]*)" codecs="([^"]*)"/.exec(manifest) ?? [];
  return `${mimeType}; codecs="${codec}"`;
}

for (const film of ['vp9', 'av1', 'hevc'] as const) {
  test(
    `${film} plays, or the player reports that it cannot`,
    film === 'av1' ? {} : nightly,
    async ({ server, play }) => {
      const folder = ensureFilm(film);
      server.film('film', folder);
      const ours = await play('ours', 'film/stream.mpd');
      const type = videoType(folder);
      if (!(await ours.page.evaluate((one) => MediaSource.isTypeSupported(one), type))) {
        await expect.poll(() => ours.codes(), { timeout: 30_000 }).toContain('video-unplayable');
        return;
      }
      const shown = async (): Promise<number> => (await ours.frames()).shown;
      await expect.poll(shown, { timeout: 60_000 }).toBeGreaterThan(FRAMES);
      expect(ours.codes()).toEqual([]);
      expectHonestLog(ours.log);
    },
  );
}
