import { describe, expect, it, vi } from 'vitest';
import { hlsAbrController, HlsView } from './hls-abr';

type Listener = (event: string, data: { frag: object; part?: object }) => void;

/** hls.js's own controller: it stays at its first level. */
class OwnController {
  readonly #level = 0;
  constructor(readonly hls: object) {}
  get nextAutoLevel(): number {
    return this.#level;
  }
}

/** hls.js's controller and events, as far as the adapter uses them. */
function player() {
  const listeners = new Map<string, Listener[]>();
  const hls = {
    levels: [600_000, 2_000_000, 1_200_000].map((bitrate) => ({ bitrate, loadError: 0 })),
    firstLevel: 0,
    minAutoLevel: 0,
    maxAutoLevel: 2,
    on: (name: string, listener: Listener) =>
      listeners.set(name, [...(listeners.get(name) ?? []), listener]),
  };
  const Hls = {
    Events: {
      FRAG_LOADING: 'loading',
      FRAG_LOADED: 'loaded',
      FRAG_LOAD_EMERGENCY_ABORTED: 'emergency',
    },
    DefaultConfig: { abrController: OwnController },
  };
  const core = {
    nowMs: () => 0,
    decide: vi.fn<() => { rung: number } | undefined>(() => undefined),
    requestStarted: vi.fn<(request: object) => number>(() => 1),
    requestEnded: vi.fn<(requestId: number, result: object) => void>(),
  };
  const Controller = hlsAbrController(
    Hls as never,
    core as never,
    new HlsView({} as HTMLVideoElement),
  );
  const controller = new Controller(hls as never);
  const fire = (name: string, frag: object, part?: object): void =>
    listeners.get(name)?.forEach((listener) => listener(name, { frag, ...(part && { part }) }));
  return { core, fire, hls, controller };
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

describe('a ladder whose levels hls.js does not keep in the order of bit rates', () => {
  it('has its rungs in that order', () => {
    const { hls, controller, core, fire } = player();
    core.decide.mockReturnValue({ rung: 1 });
    expect(controller.nextAutoLevel).toBe(2);
    fire('loading', { ...fragment, level: 2 });
    fire('loaded', { ...fragment, level: 2 });
    expect(core.requestStarted.mock.calls[0]?.[0]).toMatchObject({ rung: 1 });
    const view = new HlsView({} as HTMLVideoElement);
    view.hls = hls as never;
    expect(view.ladders()[0]?.rungs.map(({ bitrateBps }) => bitrateBps)).toEqual([
      600_000, 1_200_000, 2_000_000,
    ]);
  });

  it('follows a viewer who chooses a level of other codecs', () => {
    const { hls, core, fire } = player();
    const hevc = { bitrate: 1_000_000, loadError: 0, codecSet: 'hvc1' };
    Object.assign(hls, { levels: [...hls.levels, hevc] });
    fire('loading', { ...fragment, level: 3 });
    expect(core.requestStarted.mock.calls[0]?.[0]).toMatchObject({ rung: 0 });
  });

  it('stays below the cap of hls.js', () => {
    const { hls, controller, core } = player();
    hls.maxAutoLevel = 1;
    core.decide.mockReturnValue({ rung: 1 });
    expect(controller.nextAutoLevel).toBe(0);
  });
});

describe('a fragment in parts', () => {
  const part = (index: number, loaded: number) => ({
    index,
    url: `http://server/3.${index}.m4s`,
    start: 6 + index / 2,
    duration: 0.5,
    stats: { loading: { start: 0, first: 0 }, loaded },
  });
  const parts = [part(0, 100), part(1, 200), part(2, 300)];

  /** hls.js 1.7: one event at the start of a series of parts, and one at the end of each part. */
  async function loaded(
    { fire }: ReturnType<typeof player>,
    frag: { loader?: object | null },
    series: readonly object[],
  ): Promise<void> {
    fire('loading', frag, series[0]);
    for (const [place, one] of series.entries()) {
      frag.loader = null;
      await Promise.resolve().then(() => {
        fire('loaded', frag, one);
        const next = series[place + 1];
        frag.loader = next ? { context: { part: next } } : null;
      });
    }
  }

  it('is a request for each part', async () => {
    const hls = player();
    const frag = { ...fragment, loader: null, stats: { ...fragment.stats, loaded: 600 } };
    await loaded(hls, frag, parts.slice(0, 2));
    // The third part came with the next playlist.
    await loaded(hls, frag, parts.slice(2));
    const { requestStarted, requestEnded } = hls.core;
    expect(requestStarted.mock.calls.map(([one]) => one)).toMatchObject(
      parts.map(({ url }) => ({ url, durationMs: 500, rung: 1 })),
    );
    expect(requestEnded.mock.calls.map(([, one]) => one)).toMatchObject(
      parts.map(({ url, start, stats }) => ({
        url,
        bytes: stats.loaded,
        mediaStartMs: start * 1000,
        mediaDurationMs: 500,
        segmentIndex: 3,
        outcome: 'ok',
      })),
    );
  });

  it('that is abandoned ends with the part that was under way', async () => {
    const hls = player();
    const frag = { ...fragment, loader: {} };
    hls.fire('loading', frag, parts[0]);
    hls.fire('loaded', frag, parts[0]);
    frag.loader = { context: { part: parts[1] } };
    await Promise.resolve();
    hls.fire('emergency', frag, parts[1]);
    const { requestEnded } = hls.core;
    expect(requestEnded).toHaveBeenCalledTimes(2);
    expect(requestEnded.mock.calls[1]?.[1]).toMatchObject({ outcome: 'abandoned', bytes: 200 });
  });
});
