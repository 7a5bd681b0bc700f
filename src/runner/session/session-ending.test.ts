import { describe, expect, it } from 'vitest';
import { createFakeClock } from '../../ports/testing';
import type { LogEvent } from '../../session-log';
import { watchForEnd, type SessionEnding, type SessionEnd } from './session-ending';

const startup: LogEvent = { type: 'startup', monotonicMs: 0, startupDelayMs: 5 };
const player: LogEvent = {
  type: 'player',
  monotonicMs: 0,
  positionMs: 0,
  bufferMs: 0,
  playing: true,
  rung: 0,
  bitrateBps: 0,
  decodedFrames: 0,
  droppedFrames: 0,
};
const error = (message: string, fatal: boolean): LogEvent => ({
  type: 'error',
  monotonicMs: 0,
  code: 'X',
  message,
  fatal,
});

/** The decision so far; 'none' before there is one. */
const soFar = (end: SessionEnd): Promise<SessionEnding | 'none'> =>
  Promise.race([end.ended, Promise.resolve('none' as const)]);

describe('watchForEnd', () => {
  it('ends when the page has gone for good, but not after a reload', async () => {
    const clock = createFakeClock();
    const gone: LogEvent = { type: 'end', monotonicMs: 0, reason: 'interrupted' };
    const end = watchForEnd(clock, undefined);
    end.observe(startup);
    end.observe(gone);
    end.pageCame();
    clock.advance(60_000);
    expect(await soFar(end)).toBe('none');
    end.observe(gone);
    clock.advance(5000);
    expect(await end.ended).toEqual({ failure: 'the player page is gone' });
    const left = watchForEnd(clock, undefined);
    left.observe(startup);
    left.observe({ ...gone, reason: 'closed' });
    clock.advance(5000);
    expect(await left.ended).toEqual({ reason: 'closed' });
  });

  it('gives up if no frame comes within a minute', async () => {
    const clock = createFakeClock();
    const end = watchForEnd(clock, 5000);
    clock.advance(59_999);
    expect(await soFar(end)).toBe('none');
    clock.advance(1);
    expect(await end.ended).toEqual({ failure: 'no frame was shown within 60 s' });
  });

  it('counts the playing time from the first frame', async () => {
    const clock = createFakeClock();
    const end = watchForEnd(clock, 5000);
    clock.advance(59_000);
    end.observe(startup);
    clock.advance(4999);
    expect(await soFar(end)).toBe('none');
    clock.advance(1);
    expect(await end.ended).toEqual({ reason: 'time-up' });
  });

  it('plays to the end of the stream by default', async () => {
    const clock = createFakeClock();
    const end = watchForEnd(clock, undefined);
    end.observe(startup);
    clock.advance(1e9);
    expect(await soFar(end)).toBe('none');
    end.observe({ type: 'end', monotonicMs: 0, reason: 'ended' });
    expect(await end.ended).toEqual({ reason: 'ended' });
  });

  it('ends with a fatal error, and not with others', async () => {
    const end = watchForEnd(createFakeClock(), undefined);
    end.observe(error('a segment failed', false));
    expect(await soFar(end)).toBe('none');
    end.observe(error('no MPD', true));
    expect(await end.ended).toEqual({ failure: 'no MPD' });
  });

  it('names the last problem when the page reports a failure', async () => {
    const end = watchForEnd(createFakeClock(), undefined);
    end.observe(error('a segment failed', false));
    end.observe({ type: 'end', monotonicMs: 0, reason: 'failed' });
    expect(await end.ended).toEqual({ failure: 'a segment failed' });
  });

  it('gives up on a page that falls silent', async () => {
    const clock = createFakeClock();
    const end = watchForEnd(clock, 60_000, 10_000);
    end.observe(startup);
    clock.advance(9000);
    end.observe(player);
    clock.advance(9999);
    expect(await soFar(end)).toBe('none');
    clock.advance(1);
    expect(await end.ended).toEqual({ failure: 'the page reported no player state for 10 s' });
  });

  it('keeps the first reason, and after close() no limit counts', async () => {
    const clock = createFakeClock();
    const end = watchForEnd(clock, undefined);
    end.close();
    clock.advance(1e6);
    expect(await soFar(end)).toBe('none');
    end.end({ reason: 'interrupted' });
    end.end({ failure: 'the browser ended' });
    expect(await end.ended).toEqual({ reason: 'interrupted' });
  });
});
