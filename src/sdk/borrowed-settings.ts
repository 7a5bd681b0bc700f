import type { MediaPlayerClass } from 'dashjs';
import { isRecord } from '../core';
import type { DashSettings } from '../player';

/** A setting that was changed for the page's dash.js. */
interface Changed {
  keys: readonly string[];
  before: unknown;
  ours: unknown;
}

/** Two values of a setting: plain ones, or lists. */
const isSame = (a: unknown, b: unknown): boolean =>
  Object.is(a, b) || (Array.isArray(a) && JSON.stringify(a) === JSON.stringify(b));

/**
 * The page's dash.js, with a note of every setting that is changed through `dash`.
 * `giveBack` restores the page's values; what the page has changed since stays. Later changes through `dash` do nothing.
 */
export function borrowSettings(mediaPlayer: MediaPlayerClass): {
  dash: MediaPlayerClass;
  giveBack: () => void;
} {
  const changed = new Map<string, Changed>();
  let isOver = false;

  const note = (given: object, present: unknown, above: readonly string[]): void => {
    for (const [key, ours] of Object.entries(given) as [string, unknown][]) {
      // dash.js takes no other settings than it has.
      if (!isRecord(present) || !(key in present)) continue;
      const keys = [...above, key];
      const before = present[key];
      if (isRecord(ours)) {
        note(ours, before, keys);
        continue;
      }
      const name = keys.join('.');
      const known = changed.get(name);
      const isOurs = known !== undefined && isSame(known.ours, before);
      changed.set(name, { keys, before: isOurs ? known.before : before, ours });
    }
  };

  const updateSettings = (settings: DashSettings): void => {
    if (isOver) return;
    note(settings, mediaPlayer.getSettings(), []);
    mediaPlayer.updateSettings(settings);
  };

  const giveBack = (): void => {
    if (isOver) return;
    isOver = true;
    for (const { keys, before, ours } of changed.values()) {
      const present = keys.reduce<unknown>(
        (one, key) => (isRecord(one) ? one[key] : undefined),
        mediaPlayer.getSettings(),
      );
      if (!isSame(present, ours)) continue;
      mediaPlayer.updateSettings(
        keys.reduceRight<unknown>((inner, key) => ({ [key]: inner }), before) as DashSettings,
      );
    }
  };

  // dash.js's methods need no `this`.
  const dash = Object.create(mediaPlayer, {
    updateSettings: { value: updateSettings },
  }) as MediaPlayerClass;
  return { dash, giveBack };
}
