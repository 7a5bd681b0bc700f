import { describe, expect, it } from 'vitest';
import { emptyIsoBox } from '../../core';
import { SegmentRescue, type SegmentAnswer } from './segment-rescue';

const whole = emptyIsoBox();
const answer = (over: Partial<SegmentAnswer>): SegmentAnswer => ({
  mediaType: 'video',
  startMs: 4000,
  representationId: 'hi',
  status: 200,
  data: whole,
  ...over,
});
const rungs = ['lo', 'mid', 'hi'];
const init404 = {
  mediaType: 'video' as const,
  periodId: 'p0',
  representationId: 'hi',
  status: 404,
};

describe('SegmentRescue', () => {
  it('keeps good answers and leaves an unreachable server to retries', () => {
    const rescue = new SegmentRescue();
    expect(rescue.judge(answer({}), rungs)).toEqual({ action: 'keep' });
    for (let i = 0; i < 50; i += 1) {
      expect(rescue.judge(answer({ status: 0, data: undefined }), rungs).action).toBe('keep');
    }
  });

  it('tries other rungs at once for a missing segment, and skips it if no rung has it', () => {
    const rescue = new SegmentRescue();
    const missing = (representationId: string) =>
      rescue.judge(answer({ representationId, status: 404, data: undefined }), rungs);
    expect(missing('hi')).toEqual({ action: 'escape', defect: 'HTTP 404' });
    expect([...rescue.failedRungs('video', 4000)]).toEqual(['hi']);
    expect(missing('mid').action).toBe('escape');
    expect(missing('lo')).toEqual({ action: 'skip', defect: 'HTTP 404' });
    expect(rescue.failedRungs('video', 4000).size).toBe(0);
  });

  it('retries a passing fault before it leaves the rung', () => {
    const rescue = new SegmentRescue();
    const busy = () => rescue.judge(answer({ status: 503, data: undefined }), rungs).action;
    expect([busy(), busy(), busy()]).toEqual(['retry', 'retry', 'escape']);
  });

  it('fetches a truncated body again, then from another rung', () => {
    const rescue = new SegmentRescue();
    const cut = () => rescue.judge(answer({ data: whole.slice(0, 5) }), rungs);
    expect(cut().action).toBe('retry');
    expect(cut().defect).toContain('byte 0');
    expect(cut().action).toBe('escape');
  });

  it('gives up video that is missing also where audio is whole', () => {
    const rescue = new SegmentRescue();
    const actions = [1, 2, 3, 4, 5, 6].map((n) => {
      const startMs = n * 2000;
      rescue.judge(answer({ mediaType: 'audio', startMs }), ['a']);
      return rescue.judge(answer({ startMs, status: 404, data: undefined }), ['hi']).action;
    });
    expect(actions.at(-1)).toBe('give-up');
  });

  it('gives up when everything is missing, and starts over after a good segment', () => {
    const rescue = new SegmentRescue();
    const missing = (startMs: number) =>
      rescue.judge(answer({ startMs, status: 404, data: undefined }), ['hi']).action;
    const actions = [1, 2, 3, 4, 5, 6].map((n) => missing(n * 2000));
    expect(actions).toEqual(['skip', 'skip', 'skip', 'skip', 'skip', 'give-up']);
    rescue.judge(answer({ startMs: 14_000 }), ['hi']);
    expect(missing(16_000)).toBe('skip');
  });

  it('accepts a fully streamed segment with an empty remainder, and rejects a truncated one', () => {
    const rescue = new SegmentRescue();
    const streamed = (data: ArrayBuffer | undefined, bytes: number) =>
      rescue.judge(answer({ data, streamed: { bytes } }), rungs);
    expect(streamed(new ArrayBuffer(0), 9000)).toEqual({ action: 'keep' });
    expect(streamed(new ArrayBuffer(0), 0).defect).toContain('empty');
    expect(streamed(whole.slice(0, 5), 9000).defect).toContain('byte 0');
    expect(streamed(undefined, 9000).defect).toContain('connection ended');
  });

  it('skips no segment while another BaseURL is left', () => {
    const rescue = new SegmentRescue();
    const missing = { status: 404, data: undefined, otherBaseUrl: true };
    for (const id of rungs) {
      expect(rescue.judge(answer({ ...missing, representationId: id }), rungs).action).toBe(
        'retry',
      );
      const init = { ...init404, representationId: id, otherBaseUrl: true };
      expect(rescue.judgeInit(init, rungs).action).toBe('keep');
      expect(rescue.isUnusable('video', 'p0', id)).toBe(false);
    }
  });

  it('remembers a missing initialization segment by period, until a BaseURL is given up', () => {
    const rescue = new SegmentRescue();
    rescue.givenUp(0);
    expect(rescue.judgeInit(init404, rungs).action).toBe('escape');
    expect(rescue.isUnusable('video', 'p0', 'hi')).toBe(true);
    expect(rescue.isUnusable('video', 'p1', 'hi')).toBe(false);
    expect(rescue.isUnusable('audio', 'p0', 'hi')).toBe(false);
    rescue.givenUp(0);
    expect(rescue.isUnusable('video', 'p0', 'hi')).toBe(true);
    rescue.givenUp(1);
    expect(rescue.isUnusable('video', 'p0', 'hi')).toBe(false);
  });

  it('waits for a live segment, and survives a stalled encoder', () => {
    const rescue = new SegmentRescue();
    const late = (startMs: number) =>
      rescue.judge(answer({ startMs, status: 404, data: undefined, live: true }), ['hi']).action;
    expect([late(2000), late(2000), late(2000)]).toEqual(['retry', 'retry', 'skip']);
    const rest = Array.from({ length: 29 }, (_, n) => late(4000 + n * 2000));
    expect(new Set(rest)).toEqual(new Set(['skip']));
    expect(late(90_000)).toBe('give-up');
  });
});
