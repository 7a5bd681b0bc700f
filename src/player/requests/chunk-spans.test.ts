import { describe, expect, it } from 'vitest';
import { createFakeClock } from '../../ports/testing';
import { ChunkSpans } from './chunk-spans';
import type { DashRequest } from '../dashjs/dash-types';

const MOOF_BYTES = 16;

/** A segment of equal chunks: each a `moof` and an `mdat`. */
function chunks(count: number, bytes: number): ArrayBuffer {
  const buffer = Buffer.alloc(count * bytes);
  for (let at = 0; at < buffer.length; at += bytes) {
    buffer.writeUInt32BE(MOOF_BYTES, at);
    buffer.write('moof', at + 4, 'latin1');
    buffer.writeUInt32BE(bytes - MOOF_BYTES, at + MOOF_BYTES);
    buffer.write('mdat', at + MOOF_BYTES + 4, 'latin1');
  }
  return buffer.buffer.slice(buffer.byteOffset, buffer.byteOffset + buffer.byteLength);
}

const growing: DashRequest = {
  url: 'http://a.example/chunk-0-00004.m4s',
  type: 'MediaSegment',
  mediaType: 'video',
  startTime: 6,
  duration: 2,
  availabilityTimeComplete: false,
  representation: { availabilityTimeOffset: 1.75 } as NonNullable<DashRequest['representation']>,
};

function setUp() {
  const clock = createFakeClock(1000);
  const heard: string[] = [];
  let edgeMs: number | undefined = 6250;
  const spans = new ChunkSpans({
    clock,
    edgeMs: () => edgeMs,
    listener: {
      requestStarted: ({ startMs, pacedUntilMs }) =>
        void heard.push(`start ${startMs} paced until ${pacedUntilMs}`),
      requestEnded: ({ startMs, endMs, bytes }) => void heard.push(`${startMs}-${endMs}: ${bytes}`),
    },
  });
  const advance = (ms: number): void => {
    clock.advance(ms);
    if (edgeMs !== undefined) edgeMs += ms;
  };
  return { clock, spans, heard, advance, lose: () => (edgeMs = undefined) };
}

const end = {
  requestId: 1,
  kind: 'media',
  mediaType: 'video',
  startMs: 1000,
  outcome: 'ok',
} as const;

describe('the request of a growing segment', () => {
  it('is outstanding only while a chunk is due', () => {
    const { spans, heard, advance } = setUp();
    spans.started(1, 1000, growing);
    advance(80);
    spans.arrived(growing, chunks(1, 5000));
    // The first chunk is due, and the second one from 1250 ms on.
    expect(heard).toEqual(['start 1000 paced until 1250', '1000-1080: 5000']);
    advance(170);
    expect(heard.at(-1)).toBe('start 1250 paced until 1500');
    advance(60);
    const last = { ...end, endMs: 1310, bytes: 10_000 };
    expect(spans.ended(growing, last)).toMatchObject({
      mediaType: undefined,
      startMs: 1250,
      bytes: 0,
    });
  });

  it('stays outstanding while chunks are late, and is measured as a whole', () => {
    const { spans, heard, advance } = setUp();
    spans.started(1, 1000, growing);
    advance(600);
    spans.arrived(growing, chunks(2, 5000));
    advance(400);
    spans.arrived(growing, chunks(1, 5000));
    // The wait goes on, and it measures the network where the next chunk is due as well.
    expect(heard).toEqual([
      'start 1000 paced until 1250',
      'start 1000 paced until 1750',
      'start 1000 paced until 2000',
    ]);
    const last = { ...end, endMs: 2000, bytes: 40_000 };
    expect(spans.ended(growing, last)).toBe(last);
  });

  it('is measured as a whole where the live edge is not known', () => {
    const { spans, heard, advance, lose } = setUp();
    lose();
    spans.started(1, 1000, growing);
    advance(10);
    spans.arrived(growing, chunks(1, 5000));
    expect(heard).toEqual(['start 1000 paced until 1500']);
    const last = { ...end, endMs: 2000, bytes: 40_000 };
    expect(spans.ended(growing, last)).toEqual({ ...last, mediaType: undefined });
  });

  it('does not begin again after its end', () => {
    const { clock, spans, heard } = setUp();
    spans.started(1, 1000, growing);
    spans.arrived(growing, chunks(1, 5000));
    spans.ended(growing, { ...end, endMs: 1000, bytes: 5000 });
    clock.advance(1000);
    expect(heard).toHaveLength(2);
  });

  it('of a complete segment is one piece', () => {
    const { spans, heard } = setUp();
    const complete = { ...growing, availabilityTimeComplete: true };
    spans.started(1, 1000, complete);
    spans.arrived(complete, chunks(1, 5000));
    expect(heard).toEqual([]);
  });
});
