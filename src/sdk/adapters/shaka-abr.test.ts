import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Ladder } from '../../core';
import type { MultipathCore } from '../embed-core';
import { MultipathAbrManager } from './shaka-abr';
import type { ShakaAbrConfiguration, ShakaAbrManager, ShakaVariant } from './shaka-types';

const RESTRICTIONS: ShakaAbrConfiguration['restrictions'] = {
  ...{ minWidth: 0, maxWidth: Infinity, minHeight: 0, maxHeight: Infinity },
  ...{ minPixels: 0, maxPixels: Infinity, minFrameRate: 0, maxFrameRate: Infinity },
  ...{ minBandwidth: 0, maxBandwidth: Infinity, minChannelsCount: 0, maxChannelsCount: Infinity },
};
const CONFIG: ShakaAbrConfiguration = {
  restrictions: RESTRICTIONS,
  restrictToElementSize: false,
  restrictToScreenSize: false,
  ignoreDevicePixelRatio: false,
  clearBufferSwitch: false,
  safeMarginSwitch: 0,
};

const variant = (height: number): ShakaVariant => {
  const video = { id: height, originalId: `${height}p`, codecs: 'avc1', bandwidth: height * 1000 };
  const width = (height * 16) / 9;
  return { id: height, bandwidth: height * 1000, audio: null, video: { ...video, width, height } };
};
const variants = [360, 720, 1080].map(variant);

let ratio = 1;

beforeEach(() => {
  ratio = 1;
  vi.stubGlobal('window', {
    screen: { width: 1280, height: 720 },
    get devicePixelRatio() {
      return ratio;
    },
  });
});

afterEach(() => {
  vi.unstubAllGlobals();
});

/** A manager whose core always wants the top rung, and the element that shows its picture. */
function manager(config: Partial<ShakaAbrConfiguration>) {
  const offered: string[][] = [];
  const onVariants = (ladders: Ladder[]): void => {
    offered.push(ladders.flatMap(({ rungs }) => rungs.map((one) => one.representationId)));
  };
  const top = () => ({ rung: (offered.at(-1)?.length ?? 0) - 1, reason: '' });
  const core = { decide: top, trusted: () => ({ rateBps: 1e9 }) } as unknown as MultipathCore;
  const fallback = new Proxy({}, { get: () => () => undefined }) as ShakaAbrManager;
  const abr = new MultipathAbrManager(core, fallback, onVariants);
  const element = Object.assign(new EventTarget(), { clientWidth: 640, clientHeight: 360 });
  abr.configure({ ...CONFIG, ...config });
  abr.setMediaElement(element as unknown as HTMLMediaElement);
  abr.setVariants(variants, false);
  return { abr, element, offered };
}

it.each([
  ['nothing', {}, 1, 1080],
  ['its element', { restrictToElementSize: true }, 1, 360],
  ['its element in device pixels', { restrictToElementSize: true }, 2, 720],
  [
    'its element in CSS pixels',
    { restrictToElementSize: true, ignoreDevicePixelRatio: true },
    2,
    360,
  ],
  ['the screen', { restrictToScreenSize: true }, 1, 720],
  ['both', { restrictToScreenSize: true, restrictToElementSize: true }, 1, 360],
])('limits our choice to the size of %s', (_, config, pixels, height) => {
  ratio = pixels;
  expect(manager(config).abr.chooseVariant().id).toBe(height);
});

it('follows the size of the element', () => {
  const { abr, element, offered } = manager({ restrictToElementSize: true });
  expect(abr.chooseVariant().id).toBe(360);
  expect(abr.chooseVariant().id).toBe(360);
  Object.assign(element, { clientWidth: 1920, clientHeight: 1080 });
  expect(abr.chooseVariant().id).toBe(1080);
  expect(offered).toEqual([['360p'], ['360p', '720p', '1080p']]);
});

it('takes the size of a picture-in-picture window', () => {
  const { abr, element } = manager({ restrictToElementSize: true });
  const pictureInPictureWindow = { width: 1280, height: 720 };
  const entered = new Event('enterpictureinpicture');
  element.dispatchEvent(Object.assign(entered, { pictureInPictureWindow }));
  expect(abr.chooseVariant().id).toBe(720);
  element.dispatchEvent(new Event('leavepictureinpicture'));
  expect(abr.chooseVariant().id).toBe(360);
});
