import { describe, expect, it } from 'vitest';
import type { MediaPlayerClass, Representation } from 'dashjs';
import { createFakeClock } from '../ports/testing';
import type { LogEvent } from '../qoe';
import { Ladders } from './ladders';
import { Recorder } from './recorder';
import { Session } from './session';

const representation = (id: string, bandwidth: number) =>
  ({ id, bandwidth, width: 0, height: 0 }) as Representation;

function setUp() {
  const listeners = new Map<string, ((event: object) => void)[]>();
  const period: Record<'video' | 'audio', Representation[]> = { video: [], audio: [] };
  const player = {
    on: (type: string, listener: (event: object) => void) =>
      void listeners.set(type, [...(listeners.get(type) ?? []), listener]),
    getRepresentationsByType: (type: 'video' | 'audio') => period[type],
    getBufferLength: (type: 'video' | 'audio') => (type === 'video' ? 6 : NaN),
    isDynamic: () => true,
    duration: () => Infinity,
  };
  const events: LogEvent[] = [];
  const session = new Session(createFakeClock(0));
  session.subscribe((event) => void events.push(event));
  session.begin({
    type: 'config',
    schemaVersion: 1,
    startedAt: '',
    player: '',
    playerVersion: '',
    settings: {},
  });
  const recorder = new Recorder({
    player: player as unknown as MediaPlayerClass,
    video: { currentTime: 1 } as HTMLVideoElement,
    session,
    ladders: new Ladders(),
    watch: { frames: () => ({ decoded: 1, dropped: 0 }), playing: true },
    manifestUrl: 'http://a/live.mpd',
    onBaseUrls: () => undefined,
  });
  const tell = (type: string, event: object = {}): void =>
    listeners.get(type)?.forEach((listener) => listener(event));
  const show = (one: Representation): void =>
    tell('qualityChangeRendered', { mediaType: 'video', newRepresentation: one });
  return { events, period, recorder, show, tell };
}

describe('Recorder', () => {
  it('follows a live stream into a period with another ladder and no audio', () => {
    const { events, period, recorder, show, tell } = setUp();
    period.video = [representation('a', 1e6), representation('b', 2e6)];
    period.audio = [representation('x', 1e5)];
    tell('streamInitialized');
    expect(events.at(-1)).toMatchObject({ type: 'manifest', kind: 'dynamic' });
    expect(events.at(-1)).not.toHaveProperty('durationMs');
    show(representation('b', 2e6));
    expect(recorder.leastBufferMs()).toBe(0);

    // dash.js initializes a preloaded period early; only the switch brings its ladder.
    tell('streamInitialized');
    expect(events.filter(({ type }) => type === 'manifest')).toHaveLength(1);
    period.video = [representation('c', 3e6)];
    period.audio = [];
    tell('periodSwitchCompleted');
    expect(events.filter(({ type }) => type === 'manifest')).toHaveLength(2);
    // What is on screen still is the old period's.
    expect(recorder.bitrateBps('video')).toBe(2e6);
    expect(recorder.rung('video')).toBe(-1);
    expect(recorder.leastBufferMs()).toBe(6000);

    show(representation('c', 3e6));
    expect(events.at(-1)).toMatchObject({ type: 'switch', fromBitrateBps: 2e6, toBitrateBps: 3e6 });
    recorder.recordState();
    expect(events.at(-1)).toMatchObject({ type: 'player', rung: 0, bitrateBps: 3e6 });
  });

  it('tells no switch where the same rung goes on', () => {
    const { events, period, show, tell } = setUp();
    period.video = [representation('a', 1e6), representation('b', 2e6)];
    tell('streamInitialized');
    show(representation('b', 2e6));
    show(representation('b', 2e6));
    expect(events.some(({ type }) => type === 'switch')).toBe(false);
  });
});
