import { describe, expect, it } from 'vitest';
import type { MediaPlayerClass, Representation } from 'dashjs';
import { minBufferMs } from '../../abr';
import { createFakeClock } from '../../ports/testing';
import type { LogEvent } from '../../session-log';
import { Ladders } from '../dashjs/ladders';
import { Recorder } from './recorder';
import { Session } from './session';

const representation = (id: string, bandwidth: number, periodId = 'p1') =>
  ({
    id,
    bandwidth,
    width: 0,
    height: 0,
    mediaInfo: { streamInfo: { id: periodId } },
  }) as Representation;
const initialized = (id: string) => ({ streamInfo: { id } });

function setUp() {
  const listeners = new Map<string, ((event: object) => void)[]>();
  const period: Record<'video' | 'audio', Representation[]> = { video: [], audio: [] };
  const preloaded: Record<string, Representation[]> = {};
  const ladders = new Ladders();
  const player = {
    on: (type: string, listener: (event: object) => void) =>
      void listeners.set(type, [...(listeners.get(type) ?? []), listener]),
    getRepresentationsByType: (type: 'video' | 'audio', periodId?: string) =>
      type === 'video' ? (preloaded[periodId ?? ''] ?? period.video) : period.audio,
    getBufferLength: (type: 'video' | 'audio') => (type === 'video' ? 6 : NaN),
    isDynamic: () => true,
    getCurrentLiveLatency: () => 3.2,
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
    ladders,
    watch: { frames: () => ({ decoded: 1, dropped: 0 }), playing: true },
    manifestUrl: 'http://a/live.mpd',
    onBaseUrls: () => undefined,
  });
  const dispatch = (type: string, event: object = {}): void =>
    listeners.get(type)?.forEach((listener) => listener(event));
  const show = (one: Representation): void =>
    dispatch('qualityChangeRendered', { mediaType: 'video', newRepresentation: one });
  return { events, ladders, period, preloaded, recorder, show, dispatch };
}

describe('Recorder', () => {
  it('follows a live stream into a period with another ladder and no audio', () => {
    const { events, ladders, period, preloaded, recorder, show, dispatch } = setUp();
    period.video = [representation('a', 1e6), representation('b', 2e6)];
    period.audio = [representation('x', 1e5)];
    dispatch('streamInitialized', initialized('p1'));
    expect(events.at(-1)).toMatchObject({ type: 'manifest', kind: 'dynamic' });
    expect(events.at(-1)).not.toHaveProperty('durationMs');
    show(representation('b', 2e6));
    expect(minBufferMs(recorder.buffersMs())).toBe(0);

    // dash.js initializes a preloaded period early; only the switch brings its ladder.
    const second = [representation('b', 1e6, 'p2'), representation('c', 3e6, 'p2')];
    preloaded['p2'] = second;
    dispatch('streamInitialized', initialized('p2'));
    expect(events.filter(({ type }) => type === 'manifest')).toHaveLength(1);
    // Its requests refer to its own ladder, although the ids of the first are reused.
    expect(ladders.rungOf('video', second[0])).toBe(0);
    expect(ladders.rungOf('video', second[1])).toBe(1);
    expect(ladders.rungOf('video', representation('b', 2e6))).toBe(1);
    period.video = second;
    period.audio = [];
    dispatch('periodSwitchCompleted');
    expect(events.filter(({ type }) => type === 'manifest')).toHaveLength(2);
    // The picture on screen still belongs to the old period.
    expect(recorder.bitrateBps('video')).toBe(2e6);
    expect(recorder.rung('video')).toBe(1);
    expect(ladders.rungOf('video', representation('b', 2e6))).toBe(1);
    expect(minBufferMs(recorder.buffersMs())).toBe(6000);

    show(representation('c', 3e6, 'p2'));
    expect(events.at(-1)).toMatchObject({ type: 'switch', fromBitrateBps: 2e6, toBitrateBps: 3e6 });
    recorder.recordState();
    expect(events.at(-1)).toMatchObject({
      type: 'player',
      rung: 1,
      bitrateBps: 3e6,
      liveLatencyMs: 3200,
    });
  });

  it('follows the viewer to another track of the period', () => {
    const { events, ladders, period, recorder, show, dispatch } = setUp();
    period.video = [representation('a-1', 1e6), representation('a-2', 2e6)];
    dispatch('streamInitialized', initialized('p1'));
    const other = representation('b-2', 4e6);
    period.video = [representation('b-1', 3e6), other];
    dispatch('trackChangeRendered');
    show(other);
    expect(recorder.rung('video')).toBe(1);
    expect(ladders.of('video')?.rungs.map(({ bitrateBps }) => bitrateBps)).toEqual([3e6, 4e6]);
    expect(events.filter(({ type }) => type === 'manifest')).toHaveLength(2);
  });

  it('reports no switch if the same rung continues', () => {
    const { events, period, show, dispatch } = setUp();
    period.video = [representation('a', 1e6), representation('b', 2e6)];
    dispatch('streamInitialized', initialized('p1'));
    show(representation('b', 2e6));
    show(representation('b', 2e6));
    expect(events.some(({ type }) => type === 'switch')).toBe(false);
  });
});
