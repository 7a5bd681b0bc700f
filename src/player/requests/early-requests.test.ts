import type { MediaPlayerClass, Representation } from 'dashjs';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createFakeClock, type FakeClock } from '../../ports/testing';
import type { DashRequest } from '../dashjs/dash-types';
import { EarlyRequests } from './early-requests';
import type { GatewayRoute } from './gateway-route';
import { NextRequests } from './next-requests';

const representation = {
  id: 'v1',
  mediaInfo: { streamInfo: { id: 'period' } },
} as unknown as Representation;

const segment = (index: number, rest: Partial<DashRequest> = {}): DashRequest => ({
  url: `http://media/${index}.m4s`,
  type: 'MediaSegment',
  mediaType: 'video',
  index,
  startTime: 2 * index,
  duration: 2,
  representation,
  bytesTotal: 900,
  ...rest,
});

let announce: ReturnType<typeof vi.fn>;
let progress: (event: unknown) => void;
let bufferMs: number;
let clock: FakeClock;
let next: DashRequest | null;
let early: EarlyRequests;
let isDynamic: boolean;
let isReady: boolean;
let fastSwitchEnabled: boolean | null;
/** The server's clock is ahead of the client's by this much. */
let serverAheadMs: number;

beforeEach(() => {
  announce = vi.fn();
  bufferMs = 5000;
  clock = createFakeClock();
  next = segment(4);
  isDynamic = false;
  isReady = true;
  fastSwitchEnabled = false;
  serverAheadMs = 0;
  const nextRequests = new NextRequests();
  nextRequests.add({
    getType: () => 'video',
    getStreamId: () => 'period',
    getNextSegmentRequestIdempotent: () => next,
  });
  const player = {
    on: (_: string, listener: typeof progress) => (progress = listener),
    isDynamic: () => isDynamic,
    isReady: () => isReady,
    getSettings: () => ({ streaming: { buffer: { fastSwitchEnabled } } }),
  };
  early = new EarlyRequests({
    player: player as unknown as MediaPlayerClass,
    nextRequests,
    route: { announce } as unknown as GatewayRoute,
    bufferMs: () => bufferMs,
    bufferTargetMs: () => 18_000,
    positionSeconds: () => 3,
    clock,
    serverNowMs: () => Date.now() + serverAheadMs,
  });
});

const init: DashRequest = {
  ...segment(NaN),
  url: 'http://media/init',
  type: 'InitializationSegment',
};

/** dash.js sends a request. */
function send(request: DashRequest): void {
  early.sent(request);
  clock.advance(0);
}

/** Reports so many bytes of a request. */
function arrive(request: DashRequest, bytesLoaded: number): void {
  request.bytesLoaded = bytesLoaded;
  progress({ request });
}

describe('EarlyRequests', () => {
  it('announces the next segment once, when half of the present one has arrived', () => {
    const present = segment(3);
    arrive(present, 449);
    expect(announce).not.toHaveBeenCalled();
    arrive(present, 450);
    arrive(present, 700);
    expect(announce.mock.calls).toEqual([[present, next, 7000]]);
  });

  it('announces it earlier if the rest takes less time than a network needs to begin', () => {
    const present = segment(3);
    arrive(present, 100);
    clock.advance(200);
    arrive(present, 400);
    expect(announce).toHaveBeenCalledTimes(1);
  });

  it('waits while dash.js has a full buffer', () => {
    const present = segment(3);
    bufferMs = 16_500;
    arrive(present, 600);
    expect(announce).not.toHaveBeenCalled();
    bufferMs = 15_000;
    arrive(present, 700);
    expect(announce).toHaveBeenCalledTimes(1);
  });

  it.each([
    ['after the last segment', segment(3), null],
    ['after a seek', segment(3), segment(40)],
    ['on a live stream before the next segment is there', segment(3), later()],
    ['where nobody knows the length', segment(3, { bytesTotal: NaN }), segment(4)],
  ])('announces nothing %s', (_, present, following) => {
    next = following;
    arrive(present, 800);
    expect(announce).not.toHaveBeenCalled();
  });

  it('announces the segment after a late low-latency one as soon as it is there', () => {
    const present = segment(3, { fileLoaderType: 'fetch_loader', bytesTotal: NaN });
    next = { ...later(), fileLoaderType: 'fetch_loader' };
    arrive(present, 100);
    expect(announce).not.toHaveBeenCalled();
    serverAheadMs = 61_000;
    arrive(present, 200);
    arrive(present, 300);
    expect(announce.mock.calls).toEqual([[present, next, 7000]]);
  });

  it('announces the media segment behind an initialization segment', () => {
    send(init);
    expect(announce.mock.calls).toEqual([[init, next, 5000]]);
  });

  it('announces the first segment of a film, not of a live stream', () => {
    bufferMs = 0;
    next = segment(1.5);
    send(init);
    expect(announce).toHaveBeenCalledTimes(1);
    isDynamic = true;
    send(init);
    expect(announce).toHaveBeenCalledTimes(1);
  });

  it.each([
    ['a media segment', segment(3), segment(4)],
    ['an initialization segment after a seek', init, segment(40)],
    ['the initialization segment of a rung for an abandoned segment', init, segment(5)],
    ['an initialization segment of a live stream before the next segment is there', init, later()],
    ['an initialization segment when dash.js knows no segment', init, null],
  ])('announces nothing with the request of %s', (_, present, following) => {
    next = following;
    send(present);
    expect(announce).not.toHaveBeenCalled();
  });

  it('judges by the server’s clock whether the next live segment is there', () => {
    next = later();
    serverAheadMs = 61_000;
    send(init);
    expect(announce).toHaveBeenCalledTimes(1);
  });

  it('announces nothing where dash.js replaces what it has buffered, or has ended', () => {
    fastSwitchEnabled = null;
    send(init);
    fastSwitchEnabled = false;
    isReady = false;
    send(init);
    expect(announce).not.toHaveBeenCalled();
  });

  it('announces nothing with an initialization segment while dash.js has a full buffer', () => {
    bufferMs = 18_000;
    next = segment(10.5);
    send(init);
    expect(announce).not.toHaveBeenCalled();
  });
});

function later(): DashRequest {
  return segment(4, { availabilityStartTime: new Date(Date.now() + 60_000) });
}
