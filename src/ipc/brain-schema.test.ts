import { describe, expect, it } from 'vitest';
import { parseFeedUp } from './feed-up';

const brain = (nextSegments: unknown): unknown => ({
  type: 'log',
  events: [
    {
      type: 'brain',
      monotonicMs: 1,
      entries: [
        { k: 'decide', observation: { monotonicMs: 1, nextSegments }, digest: '0123456789abcdef' },
      ],
    },
  ],
});

describe('inputs of the brain', () => {
  it('may contain unknown sizes, over a JSON channel and over structured cloning', () => {
    const message = brain({
      video: [
        [1000, undefined],
        [undefined, 3],
      ],
    });
    // Electron's IPC clones values and keeps undefined; a WebSocket carries null.
    expect(parseFeedUp(message)).toMatchObject({ ok: true });
    expect(parseFeedUp(JSON.parse(JSON.stringify(message)))).toMatchObject({ ok: true });
  });

  it('contain no invalid size', () => {
    for (const size of [-1, Number.NaN, Number.POSITIVE_INFINITY, '5', {}]) {
      expect(parseFeedUp(brain({ video: [[size]] })).ok).toBe(false);
    }
  });

  it('may remove each field of an observation that is not always there', () => {
    const observation = { nextSegments: null, live: null, mediaType: null, playbackRate: null };
    const entries = [{ k: 'decide', observation, digest: '0123456789abcdef' }];
    const message = { type: 'log', events: [{ type: 'brain', monotonicMs: 1, entries }] };
    expect(parseFeedUp(message)).toMatchObject({ ok: true });
  });

  it('may name the carriage, and the media type of a request', () => {
    const entries = [
      { k: 'config', config: { policy: 'all', abr: 'multipath', carriage: 'ranges' } },
      { k: 'start', requestId: 1, mediaType: 'video', startMs: 5 },
    ];
    const message = { type: 'log', events: [{ type: 'brain', monotonicMs: 1, entries }] };
    expect(parseFeedUp(message)).toMatchObject({ ok: true });
    const text = JSON.stringify(message);
    expect(parseFeedUp(JSON.parse(text.replace('ranges', 'pigeons'))).ok).toBe(false);
    expect(parseFeedUp(JSON.parse(text.replace('video', 'smell'))).ok).toBe(false);
  });
});
