import { describe, expect, it } from 'vitest';
import { emptySegment } from './segment-check';
import { SegmentRescue, type SegmentAnswer } from './segment-rescue';

const whole = emptySegment();
const answer = (over: Partial<SegmentAnswer>): SegmentAnswer => ({
  mediaType: 'video',
  startMs: 4000,
  representationId: 'hi',
  status: 200,
  data: whole,
  ...over,
});
const rungs = ['lo', 'mid', 'hi'];

describe('SegmentRescue', () => {
  it('keeps good answers and leaves an unreachable server to retries', () => {
    const rescue = new SegmentRescue();
    expect(rescue.judge(answer({}), rungs)).toEqual({ action: 'keep' });
    for (let i = 0; i < 50; i += 1) {
      expect(rescue.judge(answer({ status: 0, data: undefined }), rungs).action).toBe('keep');
    }
  });

  it('goes to another rung at once when a segment is not there, and passes over it when no rung has it', () => {
    const rescue = new SegmentRescue();
    const missing = (representationId: string) =>
      rescue.judge(answer({ representationId, status: 404, data: undefined }), rungs);
    expect(missing('hi')).toEqual({ action: 'escape', defect: 'HTTP 404' });
    expect([...rescue.failedRungs('video', 4000)]).toEqual(['hi']);
    expect(missing('mid').action).toBe('escape');
    expect(missing('lo')).toEqual({ action: 'skip', defect: 'HTTP 404' });
    expect(rescue.failedRungs('video', 4000).size).toBe(0);
  });

  it('tries a passing fault again before it leaves the rung', () => {
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

  it('gives up when everything is missing, and starts over after a good segment', () => {
    const rescue = new SegmentRescue();
    const missing = (startMs: number) =>
      rescue.judge(answer({ startMs, status: 404, data: undefined }), ['hi']).action;
    const actions = [1, 2, 3, 4, 5, 6].map((n) => missing(n * 2000));
    expect(actions).toEqual(['skip', 'skip', 'skip', 'skip', 'skip', 'give-up']);
    rescue.judge(answer({ startMs: 14_000 }), ['hi']);
    expect(missing(16_000)).toBe('skip');
  });
});
