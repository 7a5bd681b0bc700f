import type { MediaPlayerClass } from 'dashjs';
import { beforeEach, expect, it } from 'vitest';
import { isRecord } from '../core';
import type { DashSettings } from '../player';
import { borrowSettings } from './borrowed-settings';

type Json = Record<string, unknown>;

let settings: Json;
let mediaPlayer: MediaPlayerClass;

/** As dash.js 5.2.1: it changes its settings in place and takes only those that it has. */
function update(given: Json, present: Json): void {
  for (const [key, value] of Object.entries(given)) {
    if (!(key in present)) throw new Error(`no such setting: ${key}`);
    if (isRecord(value)) update(value, present[key] as Json);
    else present[key] = value;
  }
}

beforeEach(() => {
  settings = {
    streaming: {
      retryAttempts: { MediaSegment: 7, InitializationSegment: 3 },
      abr: { rules: { bolaRule: { active: false } } },
      cmcd: { enabled: false, sid: null, enabledKeys: ['br'] },
      delay: { liveDelay: NaN },
    },
  };
  mediaPlayer = {
    getVersion: () => '5.2.1',
    getSettings: () => settings,
    updateSettings: (given: Json) => update(given, settings),
  } as unknown as MediaPlayerClass;
});

const set = (player: MediaPlayerClass, streaming: Json): void => {
  const given: DashSettings = { streaming };
  player.updateSettings(given);
};

it('gives back every setting, however often it was changed', () => {
  const before = structuredClone(settings);
  const { dash, giveBack } = borrowSettings(mediaPlayer);
  expect(dash.getVersion()).toBe('5.2.1');
  set(dash, {
    retryAttempts: { MediaSegment: 30 },
    abr: { rules: { bolaRule: { active: true } } },
    cmcd: { enabled: true, sid: 'id', enabledKeys: ['br', 'bl'] },
    delay: { liveDelay: 3 },
  });
  set(dash, { retryAttempts: { MediaSegment: 1 } });
  expect(settings).toMatchObject({ streaming: { retryAttempts: { MediaSegment: 1 } } });
  giveBack();
  expect(settings).toEqual(before);
});

it('keeps what the page has changed since', () => {
  const { dash, giveBack } = borrowSettings(mediaPlayer);
  set(dash, { retryAttempts: { MediaSegment: 30, InitializationSegment: 30 } });
  set(mediaPlayer, { retryAttempts: { MediaSegment: 5, InitializationSegment: 6 } });
  set(dash, { retryAttempts: { MediaSegment: 1 } });
  giveBack();
  expect(settings['streaming']).toMatchObject({
    retryAttempts: { MediaSegment: 5, InitializationSegment: 6 },
  });
});

it('changes nothing after that, and nothing that dash.js does not have', () => {
  const { dash, giveBack } = borrowSettings(mediaPlayer);
  expect(() => set(dash, { unknown: 1 })).toThrow('no such setting');
  giveBack();
  const before = structuredClone(settings);
  set(dash, { retryAttempts: { MediaSegment: 30 } });
  giveBack();
  expect(settings).toEqual(before);
});
