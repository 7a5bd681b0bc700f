import { ANY_SIZE, type Size } from './shaka-restrictions';
import type { ShakaAbrConfiguration } from './shaka-types';

type SizeSettings = Pick<
  ShakaAbrConfiguration,
  'restrictToElementSize' | 'restrictToScreenSize' | 'ignoreDevicePixelRatio'
>;

/** The window with the picture: the page's, or the one of the page's document that floats above others. */
const windowOf = (): Window =>
  (globalThis as { documentPictureInPicture?: { window: Window | null } }).documentPictureInPicture
    ?.window ?? window;

/** The place where the picture is shown, as `SimpleAbrManager` of Shaka Player 5.2 measures it. */
export class ShakaView {
  #element: HTMLMediaElement | null = null;
  #floating: Size | undefined;
  #listening: AbortController | undefined;

  attach(element: HTMLMediaElement | null): void {
    this.#listening?.abort();
    this.#listening = new AbortController();
    this.#element = element;
    this.#floating = undefined;
    const { signal } = this.#listening;
    element?.addEventListener(
      'enterpictureinpicture',
      (event) => {
        this.#floating = (event as PictureInPictureEvent).pictureInPictureWindow;
      },
      { signal },
    );
    element?.addEventListener('leavepictureinpicture', () => (this.#floating = undefined), {
      signal,
    });
  }

  /** Pixels of the device that Shaka's settings allow for; infinite without such a setting. */
  limit(settings: SizeSettings | undefined): Size {
    const sizes: Size[] = [];
    if (settings?.restrictToScreenSize) sizes.push(windowOf().screen);
    if (settings?.restrictToElementSize && this.#element) {
      const { clientWidth: width, clientHeight: height } = this.#element;
      sizes.push(this.#floating ?? { width, height });
    }
    if (sizes.length === 0) return ANY_SIZE;
    const ratio = settings?.ignoreDevicePixelRatio ? 1 : windowOf().devicePixelRatio;
    return {
      width: Math.min(...sizes.map(({ width }) => width)) * ratio,
      height: Math.min(...sizes.map(({ height }) => height)) * ratio,
    };
  }
}
