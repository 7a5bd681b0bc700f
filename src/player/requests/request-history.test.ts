import type { Representation } from 'dashjs';
import { expect, it } from 'vitest';
import type { RequestEvent } from '../../session-log';
import type { DashRequest } from '../dashjs/dash-types';
import { RequestHistory } from './request-history';

const representation = (id: string): Representation => ({ id }) as Representation;
const request = (id: string, startTime: number): DashRequest =>
  ({
    type: 'MediaSegment',
    mediaType: 'video',
    startTime,
    duration: 2,
    representation: representation(id),
  }) as DashRequest;
const ended = (fields: Partial<RequestEvent>): Omit<RequestEvent, 'monotonicMs'> => ({
  type: 'request',
  requestId: 1,
  url: 'http://server/1',
  kind: 'media',
  mediaType: 'video',
  outcome: 'ok',
  status: 200,
  startMs: 0,
  firstByteMs: 50,
  endMs: 1000,
  bytes: 125_000,
  mediaStartMs: 4000,
  ...fields,
});

it('knows the newest request, whatever else was asked for', () => {
  const history = new RequestHistory();
  expect(history.asked('video')).toBeUndefined();
  history.started(request('hd', 4));
  history.started({ ...request('hd', 8), type: 'InitializationSegment' });
  expect(history.asked('video')).toEqual({ representationId: 'hd', endMs: 6000 });
  expect(history.asked('audio')).toBeUndefined();
});

it('keeps the throughput of the last ten video segments, not of failures and audio', () => {
  const history = new RequestHistory();
  history.ended(ended({ outcome: 'failed' }), 'hd');
  history.ended(ended({ mediaType: 'audio' }), 'a');
  expect(history.throughputBps).toEqual([]);
  for (let i = 1; i <= 12; i += 1) history.ended(ended({ bytes: i * 125_000 }), 'hd');
  expect(history.throughputBps).toHaveLength(10);
  expect(history.throughputBps[0]).toBeCloseTo(3e6, 0);
  expect(history.throughputBps.at(-1)).toBeCloseTo(12e6, 0);
});

it('knows the size of a segment that arrived before', () => {
  const history = new RequestHistory();
  history.ended(ended({}), 'hd');
  expect(history.exactBytes(request('hd', 4))).toBe(125_000);
  expect(history.exactBytes(request('hd', 6))).toBeUndefined();
  expect(history.exactBytes(request('sd', 4))).toBeUndefined();
});
