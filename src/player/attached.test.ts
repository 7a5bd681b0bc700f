import type { MediaPlayerClass, Representation } from 'dashjs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTransportHub } from '../ports';
import type { LogEvent } from '../session-log';
import { attachToDash } from './create-player';
import type { DashSettings } from './dashjs/dash-settings';
import type { MultipathPlayerOptions } from './player-options';

type Json = Record<string, unknown>;
const merge = (into: Json, from: Json): Json => {
  for (const [key, value] of Object.entries(from)) {
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    into[key] = isObject
      ? merge({ ...((into[key] as Json | undefined) ?? {}) }, value as Json)
      : value;
  }
  return into;
};

/** As dash.js 5.2.1: getters throw once the owner has reset or destroyed it (`playbackInitialized`). */
function fakeDash(own: Json = {}) {
  const listeners = new Map<string, ((event: object) => void)[]>();
  const interceptors: ((request: object) => Promise<object>)[] = [];
  const settings: Json = merge({ streaming: { buffer: {}, abr: {} } }, own);
  let playbackInitialized = true;
  const need = <T>(value: T): T => {
    if (!playbackInitialized) {
      throw new Error(
        'You must first call initialize() and set a valid source and view before calling this method',
      );
    }
    return value;
  };
  const representation = (id: string, bandwidth: number) =>
    ({
      id,
      bandwidth,
      width: 0,
      height: 0,
      mediaInfo: { streamInfo: { id: 'p1' } },
    }) as Representation;
  const player = {
    on: (type: string, listener: (event: object) => void) =>
      void listeners.set(type, [...(listeners.get(type) ?? []), listener]),
    off: (type: string, listener: (event: object) => void) =>
      void listeners.set(
        type,
        (listeners.get(type) ?? []).filter((one) => one !== listener),
      ),
    trigger: () => undefined,
    extend: () => undefined,
    addABRCustomRule: () => undefined,
    addRequestInterceptor: (one: (request: object) => Promise<object>) =>
      void interceptors.push(one),
    addResponseInterceptor: () => undefined,
    updateSettings: (given: Json) => void merge(settings, given),
    getSettings: () => settings,
    getVersion: () => '5.2.1',
    getManifest: () => undefined,
    getBufferLength: () => 6,
    getRepresentationsByType: (type: string) =>
      type === 'video' ? [representation('1', 1e6), representation('2', 3e6)] : [],
    isReady: () => playbackInitialized,
    isDynamic: () => need(false),
    duration: () => need(600),
    getCurrentLiveLatency: () => NaN,
    getTargetLiveDelay: () => need(NaN),
    reset: () => (playbackInitialized = false),
    destroy: () => (playbackInitialized = false),
  };
  return {
    player: player as unknown as MediaPlayerClass & { reset(): void },
    settings: settings as { streaming: Record<string, Record<string, unknown>> },
    dispatch: (type: string, event: object = {}) =>
      [...(listeners.get(type) ?? [])].forEach((listener) => listener(event)),
    /** Runs the request interceptors, as dash.js does before it sends a request. @returns the final address */
    async send(url: string) {
      let request: object = {
        url,
        customData: {
          request: { url, type: 'MediaSegment', mediaType: 'video', startTime: 0, duration: 2 },
        },
      };
      for (const one of interceptors) request = await one(request);
      return (request as { url: string }).url;
    },
  };
}

function fakeTransport() {
  const hub = createTransportHub({ state: 'idle', reason: '' });
  let subscribers = 0;
  return {
    hub,
    subscribers: () => subscribers,
    transport: {
      nowMs: () => performance.now(),
      subscribe: (listener: Parameters<typeof hub.subscribe>[0]) => {
        subscribers += 1;
        const undo = hub.subscribe(listener);
        return () => {
          subscribers -= 1;
          undo();
        };
      },
      watch: () => undefined,
      close: () => hub.publish({ type: 'closed', reason: 'closed by the page' }),
    } satisfies MultipathPlayerOptions['transport'],
  };
}

const video = {
  autoplay: false,
  currentTime: 1,
  duration: 600,
  videoWidth: 0,
  readyState: 4,
  paused: false,
  seeking: false,
  ended: false,
  addEventListener: () => undefined,
  removeEventListener: () => undefined,
  getVideoPlaybackQuality: () => ({ totalVideoFrames: 1, droppedVideoFrames: 0 }),
} as unknown as HTMLVideoElement;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('HTMLVideoElement', Map);
  vi.stubGlobal('HTMLMediaElement', { HAVE_FUTURE_DATA: 3 });
  vi.stubGlobal('document', { hidden: false, baseURI: 'http://page/' });
  vi.stubGlobal('navigator', { userAgent: 'test' });
});
const players: { destroy(): void }[] = [];
afterEach(() => {
  for (const player of players.splice(0)) player.destroy();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function attached(own: Json = {}, more: Partial<MultipathPlayerOptions> = {}) {
  const dash = fakeDash(own);
  const feed = fakeTransport();
  const log: LogEvent[] = [];
  const logSink = {
    write: (event: LogEvent) => void log.push(event),
    close: () => Promise.resolve(),
  };
  const player = attachToDash(dash.player, {
    video,
    transport: feed.transport,
    logSink,
    memory: false,
    ...more,
  });
  players.push(player);
  return { dash, feed, log, player };
}
const start = (dash: ReturnType<typeof fakeDash>): void => {
  dash.dispatch('manifestLoadingStarted', { request: { url: 'http://cdn/a.mpd' } });
  dash.dispatch('streamInitialized', { streamInfo: { id: 'p1' } });
};

describe('a page that resets its dash.js before it ends the attached player', () => {
  it('leaves nothing behind', () => {
    const { dash, feed, log, player } = attached();
    start(dash);
    vi.advanceTimersByTime(1000);
    dash.player.reset();
    player.destroy();
    player.destroy();
    expect(vi.getTimerCount()).toBe(0);
    expect(feed.subscribers()).toBe(0);
    expect(log.at(-1)?.type).toBe('end');
  });

  it('gets no error from its timer', () => {
    const { dash } = attached();
    start(dash);
    dash.player.reset();
    expect(() => vi.advanceTimersByTime(1000)).not.toThrow();
  });

  it('may still take a snapshot', () => {
    const { dash, player } = attached();
    start(dash);
    player.destroy();
    dash.player.reset();
    expect(() => player.snapshot()).not.toThrow();
  });
});

describe('a dash.js that plays on after the attached player has ended', () => {
  it.each(['auto', 'networks'] as const)(
    'asks no gateway that is gone (fetch: %s)',
    async (fetch) => {
      const { dash, feed, player } = attached({}, { fetch });
      start(dash);
      const report = { carriage: 'ranges' as const, reason: '', networks: [], inOrderBytes: 0 };
      feed.hub.publish({
        type: 'carriage',
        report,
        gatewayUrl: 'http://127.0.0.1:5/token/',
        chunks: [],
      });
      expect(await dash.send('http://cdn/1.m4s')).toContain('127.0.0.1:5');
      player.destroy();
      feed.transport.close();
      expect(await dash.send('http://cdn/2.m4s')).toBe('http://cdn/2.m4s');
    },
  );
});

describe('a manifest that the page has parsed', () => {
  it.each([
    ['http://cdn/a.mpd', { url: 'http://cdn/a.mpd' }],
    ['http://page/', {}],
  ])('begins the session: %s', (url, manifest) => {
    const { dash, log } = attached();
    dash.dispatch('manifestUpdated', { manifest });
    dash.dispatch('manifestUpdated', { manifest: { url: 'http://cdn/later.mpd' } });
    expect(log.filter(({ type }) => type === 'config')).toMatchObject([{ settings: { url } }]);
  });
});

describe('settings of the page', () => {
  it('keep their number of tries after each change of the BaseURLs', () => {
    const retryAttempts = { MediaSegment: 2, InitializationSegment: 2 };
    const settings: DashSettings = { streaming: { retryAttempts } };
    const { dash } = attached({}, { settings });
    start(dash);
    dash.dispatch('baseUrlsUpdated', { baseUrls: [] });
    expect(dash.settings.streaming['retryAttempts']).toMatchObject(retryAttempts);
  });

  it('keep the first bit rate of a dash.js that is attached to', () => {
    const { dash } = attached({ streaming: { abr: { initialBitrate: { video: 3000 } } } });
    expect(dash.settings.streaming['abr']?.['initialBitrate']).toMatchObject({ video: 3000 });
    start(dash);
    expect(dash.settings.streaming['abr']?.['initialBitrate']).toMatchObject({ video: 3000 });
  });
});
