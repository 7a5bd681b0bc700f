import type { MediaPlayerClass } from 'dashjs';
import { describe, expect, it } from 'vitest';
import { DashEvent } from './dash-types';
import { chooseMedia, type AppliedMediaChoice } from './media-choice';

const KEY_ID = '0123456789abcdef0123456789abcdef';
const MP4 = { schemeIdUri: 'urn:mpeg:dash:mp4protection:2011', cencDefaultKid: 'kid' };
const CLEAR_KEY = 'urn:uuid:e2719d58-a985-b3c9-781a-b030af78d30e';

function setUp(options: AppliedMediaChoice) {
  const calls: [name: string, ...values: unknown[]][] = [];
  const listeners = new Map<string, (event: object) => void>();
  const note =
    (name: string) =>
    (...values: unknown[]): void =>
      void calls.push([name, ...values]);
  const player = {
    on: (type: string, listener: (event: object) => void) => listeners.set(type, listener),
    setInitialMediaSettingsFor: note('prefer'),
    setProtectionData: note('protect'),
  } as unknown as MediaPlayerClass;
  chooseMedia(player, DashEvent, options);
  return { calls, emit: (type: string, event = {}) => listeners.get(type)?.(event) };
}

describe('chooseMedia', () => {
  it('waits until dash.js is initialized, and applies once', () => {
    const { calls, emit } = setUp({ audioLanguage: 'de', textRole: 'caption' });
    expect(calls).toEqual([]);
    emit(DashEvent.manifestLoadingStarted);
    emit(DashEvent.manifestLoadingStarted);
    const role = { schemeIdUri: 'urn:mpeg:dash:role:2011', value: 'caption' };
    expect(calls).toEqual([
      ['prefer', 'audio', { lang: 'de' }],
      ['prefer', 'text', { role }],
    ]);
  });

  it('applies with a manifest that the page has parsed', () => {
    const { calls, emit } = setUp({ audioLanguage: 'de', keys: { [KEY_ID]: KEY_ID } });
    const set = { ContentProtection: [MP4] };
    emit(DashEvent.manifestUpdated, { manifest: { Period: [{ AdaptationSet: [set] }] } });
    emit(DashEvent.manifestUpdated, {});
    expect(calls.map(([name]) => name)).toEqual(['prefer', 'protect']);
    expect(set.ContentProtection).toHaveLength(2);
  });

  it('gives keys in base64url without padding', () => {
    const { calls, emit } = setUp({ keys: { [KEY_ID]: 'f'.repeat(32) } });
    emit(DashEvent.manifestLoadingStarted);
    expect(calls).toEqual([
      [
        'protect',
        { 'org.w3.clearkey': { clearkeys: { ASNFZ4mrze8BI0VniavN7w: '_____________________w' } } },
      ],
    ]);
  });

  it('lists ClearKey where a manifest has only other key systems', () => {
    interface Set {
      ContentProtection?: object[];
    }
    const encrypted = (...more: string[]): Set => ({
      ContentProtection: [MP4, ...more.map((schemeIdUri) => ({ schemeIdUri }))],
    });
    const sets: Set[] = [encrypted('urn:uuid:widevine'), encrypted(CLEAR_KEY), {}];
    const { emit } = setUp({ keys: { [KEY_ID]: KEY_ID } });
    emit(DashEvent.manifestLoaded, { data: { Period: [{ AdaptationSet: sets }] } });
    expect(sets[0]?.ContentProtection?.at(-1)).toEqual({ ...MP4, schemeIdUri: CLEAR_KEY });
    expect(sets[1]).toEqual(encrypted(CLEAR_KEY));
    expect(sets[2]).toEqual({});
    // A manifest that could not be parsed.
    emit(DashEvent.manifestLoaded, { data: null });
  });
});
