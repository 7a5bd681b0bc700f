import { expect, it, vi } from 'vitest';
import type { ShakaPlayer, ShakaRequestFilter } from './adapters/shaka-types';
import { attachShaka } from './shaka';

const core = vi.hoisted(() => ({
  nowMs: () => 5000,
  requestStarted: vi.fn(() => 7),
  requestEnded: vi.fn(),
}));
vi.mock('./embed-core', () => ({ embedCore: () => core }));

const ABORTED = 7001;

it('ends a request that Shaka aborts before it is sent', async () => {
  const events = new EventTarget();
  let filter: ShakaRequestFilter | undefined;
  const player = {
    configure: () => true,
    getConfiguration: () => ({ abrFactory: () => undefined, streaming: { bufferingGoal: 10 } }),
    getAssetUri: () => null,
    getNetworkingEngine: () => ({
      registerRequestFilter: (one: ShakaRequestFilter) => (filter = one),
    }),
    addEventListener: events.addEventListener.bind(events),
  } as unknown as ShakaPlayer;
  const nothing = () => undefined;
  const video = { play: nothing, pause: nothing, addEventListener: nothing };
  await attachShaka(player, { video: video as unknown as HTMLVideoElement });

  const request = { uris: ['http://a/1'], attempt: 0 };
  const context = {
    stream: { type: 'video', originalId: 'v1' },
    segment: { getStartTime: () => 4, getEndTime: () => 8 },
  };
  filter?.(1, request, context);
  const failure = { requestType: 1, request, context, error: { code: ABORTED } };
  events.dispatchEvent(Object.assign(new Event('downloadfailed'), failure));

  expect(core.requestEnded).toHaveBeenCalledExactlyOnceWith(
    7,
    expect.objectContaining({
      kind: 'media',
      url: 'http://a/1',
      startMs: 5000,
      endMs: 5000,
      bytes: 0,
      outcome: 'abandoned',
    }),
  );
  expect(request).not.toHaveProperty('requestStartTime');
});
