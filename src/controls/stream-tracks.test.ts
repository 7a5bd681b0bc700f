import { expect, it } from 'vitest';
import type { MultipathPlayer, PlayerSnapshot } from '../sdk';
import { qualityText } from './control-elements';
import { StreamTracks } from './stream-tracks';

const ladders: PlayerSnapshot['ladders'] = [
  {
    mediaType: 'video',
    rungs: [
      { index: 0, representationId: 'low', bitrateBps: 1e6, width: 640, height: 360 },
      { index: 1, representationId: 'high', bitrateBps: 12e6, width: 1920, height: 1080 },
    ],
  },
];

/** The menu's texts while the networks are expected to carry this rate. */
function menu(rateBps: number, confidence: number): string[] {
  const forecast = { basis: 'paths', paths: [], rateBps, safeRateBps: rateBps, confidence };
  const player = {
    snapshot: () => ({ ladders, forecast }),
    dash: { on: () => undefined, off: () => undefined },
  } as unknown as MultipathPlayer;
  return new StreamTracks(player, () => undefined).qualities().map(qualityText);
}

it('marks the qualities that the networks do not carry now', () => {
  expect(menu(4e6, 0.8)).toEqual([
    '360p · 1.0 Mbit/s',
    '1080p · 12 Mbit/s · more than the networks carry now',
  ]);
  expect(menu(12e6, 0.8)[1]).toBe('1080p · 12 Mbit/s');
});

it('marks nothing with a forecast of low confidence', () => {
  expect(menu(4e6, 0.05)[1]).toBe('1080p · 12 Mbit/s');
});
