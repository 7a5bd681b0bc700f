import { describe, expect, it } from 'vitest';
import { StuckRequests, type RequestProgress } from './stuck-requests';

const LOOK_MS = 250;

/** A player that has fetched segments at 4 Mbit/s. */
function warm(): StuckRequests {
  const stuck = new StuckRequests();
  for (let index = 0; index < 5; index += 1) {
    stuck.ended({
      ...{ type: 'request', requestId: index, kind: 'media', url: 'http://h/s', status: 200 },
      ...{ startMs: index * 2000, endMs: index * 2000 + 500, bytes: 250_000, outcome: 'ok' },
    });
  }
  return stuck;
}

const arrived = {
  ...({ type: 'request', requestId: 50, kind: 'media', url: 'http://h/s', outcome: 'ok' } as const),
  ...{ status: 200, startMs: 0, endMs: 500, bytes: 250_000 },
};

/** Times at which one request for 250 kB is found stuck. Less than no networks: there is no forecast. */
function stuckTimes(
  stuck: StuckRequests,
  rateBps: (atMs: number) => number,
  { untilMs = 20_000, networks = 2, bufferMs = 8000, gathered = false } = {},
): number[] {
  const times: number[] = [];
  let requestId = 100;
  let request: RequestProgress = {
    ...{ requestId, segment: 'video 10', bytesLoaded: 0, bytesTotal: 250_000, bufferMs, gathered },
  };
  for (let nowMs = 0; nowMs <= untilMs; nowMs += LOOK_MS) {
    const known = networks < 0 ? undefined : networks;
    if (stuck.look([request], { nowMs, networks: known }).length > 0) {
      times.push(nowMs);
      requestId += 1;
      request = { ...request, requestId, bytesLoaded: 0 };
    }
    const loaded = request.bytesLoaded + (rateBps(nowMs) * LOOK_MS) / 8000;
    request = { ...request, bytesLoaded: Math.min(request.bytesTotal, loaded) };
    if (request.bytesLoaded === request.bytesTotal) break;
  }
  return times;
}

describe('StuckRequests', () => {
  it('repeats an answer that trickles, or of which nothing comes, after 3 s', () => {
    expect(stuckTimes(warm(), (atMs) => (atMs < 3100 ? 20_000 : 4e6))).toEqual([3000]);
    expect(stuckTimes(warm(), (atMs) => (atMs < 3100 ? 0 : 4e6))).toEqual([3000]);
  });

  it('notices an answer that stops in the middle', () => {
    expect(stuckTimes(warm(), (atMs) => (atMs > 250 && atMs < 4000 ? 0 : 2e6))).toEqual([3500]);
  });

  it('doubles its time limit with each repetition', () => {
    expect(stuckTimes(warm(), () => 0, { untilMs: 30_000 })).toEqual([3000, 9250, 21_500]);
  });

  it('keeps its time limit for video while audio arrives', () => {
    const stuck = warm();
    const arrives = (atMs: number): number => {
      if (atMs === 3500) stuck.ended({ ...arrived, mediaType: 'audio' });
      return 0;
    };
    expect(stuckTimes(stuck, arrives, { untilMs: 12_000 })).toEqual([3000, 9250]);
  });

  it('waits twice as long as the server took for its first bytes before', () => {
    const stuck = warm();
    stuck.ended({ ...arrived, mediaType: 'video', firstByteMs: 4000, endMs: 4500 });
    expect(stuckTimes(stuck, () => 0, { untilMs: 10_000 })).toEqual([8000]);
  });

  it('waits 8 s with one network, and without a forecast', () => {
    const options = { untilMs: 10_000 };
    expect(stuckTimes(warm(), () => 0, { ...options, networks: 1 })).toEqual([8000]);
    expect(stuckTimes(warm(), () => 0, { ...options, networks: -1 })).toEqual([8000]);
    // The gateway repeats the bytes of one of several networks itself.
    expect(stuckTimes(warm(), () => 0, { ...options, gathered: true })).toEqual([8000]);
  });

  it('does not repeat a request that finishes before the buffer is empty', () => {
    const options = { bufferMs: 25_000 };
    expect(stuckTimes(warm(), () => 100_000, options)).toEqual([]);
    expect(stuckTimes(warm(), () => 100_000, { bufferMs: 5000 })).toEqual([3000, 9250]);
  });

  it('repeats nothing on networks that are slightly slow, lost or unmeasured', () => {
    expect(stuckTimes(warm(), () => 500_000, { bufferMs: 0 })).toEqual([]);
    expect(stuckTimes(warm(), () => 0, { networks: 0 })).toEqual([]);
    expect(stuckTimes(new StuckRequests(), () => 1000)).toEqual([]);
  });

  it('learns no rate from segments fetched in advance', () => {
    const stuck = new StuckRequests();
    const request = { type: 'request', requestId: 9, kind: 'media', url: 'http://h/s' } as const;
    const ok = { ...request, status: 200, startMs: 0, bytes: 250_000, outcome: 'ok' } as const;
    stuck.ended({ ...ok, endMs: 2000 });
    for (let index = 0; index < 4; index += 1)
      stuck.ended({ ...ok, endMs: 5, earlyBytes: 240_000 });
    expect(stuckTimes(stuck, () => 120_000, { bufferMs: 0 })).toEqual([]);
  });

  it('learns a lower rate after several slow segments', () => {
    const stuck = warm();
    for (let index = 0; index < 3; index += 1) {
      stuck.ended({
        ...{ type: 'request', requestId: 9, kind: 'media', url: 'http://h/s', status: 200 },
        ...{ startMs: 0, endMs: 20_000, bytes: 100_000, outcome: 'ok' },
      });
    }
    expect(stuckTimes(stuck, () => 40_000, { bufferMs: 0 })).toEqual([]);
  });
});
