import { expect, type Page } from '@playwright/test';
import type { MediaController } from 'media-chrome';

/** Presses a key once the controls have heard of what the key before did: the element's events come later. */
export async function press(page: Page, key: string): Promise<void> {
  const heard = (): Promise<boolean> =>
    page.evaluate(() => {
      const state = document
        .querySelector<MediaController>('media-controller')
        ?.mediaStore.getState();
      const element = document.querySelector('video');
      if (!state || !element) return false;
      const sameTime = !element.paused || state.mediaCurrentTime === element.currentTime;
      const sameSound = (state.mediaVolumeLevel === 'off') === element.muted;
      const sameRate = state.mediaPlaybackRate === element.playbackRate;
      return sameTime && sameSound && sameRate && state.mediaPaused === element.paused;
    });
  await expect.poll(heard).toBe(true);
  await page.keyboard.press(key);
}
