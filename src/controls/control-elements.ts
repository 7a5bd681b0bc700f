import 'media-chrome/menu';
import { MediaController } from 'media-chrome';
import type { Quality } from './stream-tracks';

const SVG = 'http://www.w3.org/2000/svg';
const GAUGE =
  'M12 4a10 10 0 0 0-8.6 15.1l1.7-1a8 8 0 1 1 13.8 0l1.7 1A10 10 0 0 0 12 4Zm4.5 4.6-5.3 3.9a1.8 1.8 0 1 0 2.4 2.4l3.9-5.3Z';
/** Speeds of the menu; `<` and `>` go in steps of 0.25 between 0.25 and 2. */
const SPEEDS = '0.5 0.75 1 1.25 1.5 1.75 2';
/** Seconds of a jump by an arrow key, j, l or the media keys. */
export const JUMP_S = 10;

/** Each menu with its button and its name for a screen reader. */
const MENUS = [
  ['media-captions-menu', 'Subtitles'],
  ['media-audio-track-menu', 'Audio track'],
  ['media-rendition-menu', 'Quality'],
  ['media-playback-rate-menu', 'Speed'],
] as const;

/** A menu of qualities; `formatRendition` is the library's hook for the text of an item. */
export interface QualityMenu extends HTMLElement {
  formatRendition(quality: Quality): string;
}

/** Creates an element with attributes. */
function make(
  tag: string,
  attributes: Record<string, string> = {},
  ...children: HTMLElement[]
): HTMLElement {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** "720p · 2.5 Mbit/s", with a note where the networks do not carry it now. */
export function qualityText({ width, height, bitrate, carried }: Quality): string {
  const size = Math.min(width, height);
  const rate = `${(bitrate / 1e6).toFixed(bitrate < 9.95e6 ? 1 : 0)} Mbit/s`;
  const name = size > 0 ? `${size}p · ${rate}` : rate;
  return carried ? name : `${name} · more than the networks carry now`;
}

/**
 * Puts the video into the library's controller. Full screen shows the controller alone.
 * @param subtitles dash.js draws TTML there
 */
export function buildController(video: HTMLVideoElement, subtitles: HTMLElement): MediaController {
  const controller = make('media-controller', {
    keyboardbackwardseekoffset: String(JUMP_S),
    keyboardforwardseekoffset: String(JUMP_S),
    keyboardupvolumestep: '0.05',
    keyboarddownvolumestep: '0.05',
    nodefaultstore: '',
    class: 'controls',
  });
  if (!(controller instanceof MediaController)) throw new Error('media-chrome is not loaded');
  video.removeAttribute('controls');
  // The library's controller takes the keyboard.
  video.removeAttribute('tabindex');
  video.replaceWith(controller);
  video.slot = 'media';
  subtitles.slot = 'centered-chrome';
  subtitles.setAttribute('noautohide', '');
  const spinner = make('media-loading-indicator', { slot: 'centered-chrome', noautohide: '' });
  controller.append(video, subtitles, spinner);
  return controller;
}

/** Adds the control bar, and a menu for each choice. @returns the menu of qualities */
export function addBar(controller: MediaController): QualityMenu {
  const menus = MENUS.map(([tag, name]) =>
    make(
      tag,
      { hidden: '', anchor: 'auto', 'aria-label': name, ...speeds(tag) },
      // Replaces the button back to a parent menu: this menu has no parent.
      make('span', { slot: 'header', hidden: '' }),
    ),
  );
  const bar = make(
    'media-control-bar',
    {},
    button('media-play-button'),
    button('media-mute-button'),
    make('media-volume-range'),
    make('media-time-display', { showduration: '', notoggle: '' }),
    make('media-time-range'),
    make('media-live-button'),
    ...MENUS.map(([tag]) => button(`${tag}-button`)),
    button('media-pip-button'),
    button('media-fullscreen-button'),
  );
  controller.append(...menus, bar);
  const qualityMenu = menus[2] as QualityMenu;
  qualityMenu.formatRendition = qualityText;
  return qualityMenu;
}

/** A button without the library's tooltip, whose words differ from the button's name: a screen reader would read both. */
function button(tag: string): HTMLElement {
  const made = make(tag, { notooltip: '' }, make('span', { slot: 'tooltip-content' }));
  if (tag === 'media-playback-rate-menu-button') made.append(speedIcon());
  return made;
}

/** A gauge in place of "1x", which the name of the button does not contain. */
function speedIcon(): SVGElement {
  const icon = document.createElementNS(SVG, 'svg');
  icon.setAttribute('slot', 'icon');
  icon.setAttribute('viewBox', '0 0 24 24');
  icon.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS(SVG, 'path');
  path.setAttribute('d', GAUGE);
  icon.append(path);
  return icon;
}

const speeds = (tag: string): Record<string, string> =>
  tag === 'media-playback-rate-menu' ? { rates: SPEEDS } : {};
