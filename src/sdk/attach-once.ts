import type { MediaPlayerClass } from 'dashjs';
import { borrowSettings } from './borrowed-settings';
import { checkDashPlayer } from './check-options';
import type { Multipath } from './embed';
import { OptionError } from './errors';

/** dash.js keeps what extends it, so a second `attach` would decide beside the first. */
const attached = new WeakSet<MediaPlayerClass>();

/**
 * Builds on a dash.js player of the page, and puts its settings back at the end.
 * Rejects with an `OptionError` if it was attached to before.
 */
export async function attachOnce(
  mediaPlayer: MediaPlayerClass,
  build: (dash: MediaPlayerClass) => Promise<Multipath>,
): Promise<Multipath> {
  checkDashPlayer(mediaPlayer);
  if (attached.has(mediaPlayer)) {
    throw new OptionError('mediaPlayer', 'was attached to before: attach to a new player');
  }
  attached.add(mediaPlayer);
  const { dash, giveBack } = borrowSettings(mediaPlayer);
  try {
    const multipath = await build(dash);
    return {
      ...multipath,
      destroy: (reason) => {
        multipath.destroy(reason);
        giveBack();
      },
    };
  } catch (error) {
    giveBack();
    attached.delete(mediaPlayer);
    throw error;
  }
}
