import type { MediaPlayerClass, Representation } from 'dashjs';
import { expect, test } from 'vitest';
import type { MediaType } from '../../core';
import type { Ladders } from '../dashjs/ladders';
import type { RequestHistory } from '../requests/request-history';
import { PlayerView } from './player-view';

/** The buffer that the brain sees of one second. @param frameRate of the video, as dash.js reads the MPD */
function seenMs(frameRate: unknown, mediaType: MediaType): number | undefined {
  const representation = { id: '0', bandwidth: 1e6, frameRate } as unknown as Representation;
  const player = {
    getRepresentationsByType: () => [representation],
    isDynamic: () => false,
    isReady: () => false,
    getSettings: () => ({}),
    getBufferLength: () => 1,
  } as unknown as MediaPlayerClass;
  const view = new PlayerView({
    player,
    clock: { nowMs: () => 0 },
    ladders: {
      of: (type: MediaType) => (type === mediaType ? {} : undefined),
    } as unknown as Ladders,
    tracker: { inFlight: () => [] },
    history: { asked: () => undefined, next: () => [] } as unknown as RequestHistory,
    bufferMs: () => 1000,
    playing: () => true,
    playbackRate: () => 1,
    control: () => 'none',
  });
  return view.observe('tick').bufferMs[mediaType];
}

test('the pictures that a decoder keeps are no buffer', () => {
  expect(seenMs(25, 'video')).toBe(800);
  expect(seenMs(12, 'video')).toBe(583);
  expect(seenMs(undefined, 'audio')).toBe(1000);
});

test.each([undefined, null, NaN, 0, -5, 0.001])(
  'a frame rate of %s takes no more than that of a slow film',
  (frameRate) => {
    expect(seenMs(frameRate, 'video')).toBe(583);
  },
);
