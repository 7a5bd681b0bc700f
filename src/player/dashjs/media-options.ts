import type { MediaPlayerClass } from 'dashjs';
import { DashEvent } from './dash-types';
import type { AppliedMediaChoice } from './media-choice';

/** Applies the chosen tracks and keys. The code loads only if there are any. Call before `initialize()`. */
export async function applyMediaOptions(
  player: MediaPlayerClass,
  options: AppliedMediaChoice,
): Promise<void> {
  const { keys, audioLanguage, audioRole, textLanguage, textRole, textContainer } = options;
  if (!(keys ?? audioLanguage ?? audioRole ?? textLanguage ?? textRole ?? textContainer)) return;
  const { chooseMedia } = await import('./media-choice');
  chooseMedia(player, DashEvent, options);
}
