import { expect, it, vi } from 'vitest';
import { hlsAbrController, HlsView } from './hls-abr';

type Listener = (event: string, data: { frag: object }) => void;

/** hls.js's controller and events, as far as the adapter uses them. */
function player() {
  const listeners = new Map<string, Listener[]>();
  const hls = {
    on: (name: string, listener: Listener) =>
      listeners.set(name, [...(listeners.get(name) ?? []), listener]),
  };
  const Hls = {
    Events: { FRAG_LOADING: 'loading', FRAG_LOADED: 'loaded' },
    DefaultConfig: { abrController: EventTarget },
  };
  const core = {
    nowMs: () => 0,
    requestStarted: vi.fn(() => 1),
    requestEnded: vi.fn(),
  };
  const Controller = hlsAbrController(
    Hls as never,
    core as never,
    new HlsView({} as HTMLVideoElement),
  );
  new Controller(hls as never);
  const fire = (name: string, frag: object): void =>
    listeners.get(name)?.forEach((listener) => listener(name, { frag }));
  return { core, fire };
}

const fragment = {
  sn: 3,
  type: 'main',
  level: 2,
  url: 'http://server/3.m4s',
  start: 6,
  duration: 2,
  stats: { loading: { start: 0, first: 0 }, loaded: 1000 },
};

it.each([
  ['media', fragment, 1],
  [
    'initialization segments, whose end hls.js does not tell',
    { ...fragment, sn: 'initSegment' },
    0,
  ],
  ['subtitles, which have no rung', { ...fragment, type: 'subtitle', level: 0 }, 0],
])('follows the requests of %s: %#', (_, frag, times) => {
  const { core, fire } = player();
  fire('loading', frag);
  fire('loading', frag);
  fire('loaded', frag);
  expect(core.requestStarted).toHaveBeenCalledTimes(times);
  expect(core.requestEnded).toHaveBeenCalledTimes(times);
});
