import { expect, it } from 'vitest';
import { SubtitleRescue, type SubtitleAction, type SubtitleAnswer } from './subtitle-rescue';

const segment: SubtitleAnswer = {
  url: 'http://a/text-2.m4s',
  status: 404,
  isSegment: true,
  otherBaseUrl: false,
  live: false,
};

function actions(answer: Partial<SubtitleAnswer>, tries = 1): SubtitleAction[] {
  const rescue = new SubtitleRescue();
  return Array.from({ length: tries }, () => rescue.judge({ ...segment, ...answer }));
}

it('skips a missing segment, and turns subtitles off whose initialization or only file is missing', () => {
  expect(actions({})).toEqual(['skip']);
  expect(actions({ isSegment: false })).toEqual(['turn-off']);
});

it('tries again where the file may still come: a passing fault, or a live stream', () => {
  expect(actions({ status: 503 }, 4)).toEqual(['keep', 'keep', 'skip', 'keep']);
  expect(actions({ live: true }, 3)).toEqual(['keep', 'keep', 'skip']);
});

it('leaves to dash.js a network without an answer, a good answer, and a stream with another BaseURL', () => {
  expect(actions({ status: 0 }, 40)).not.toContain('skip');
  expect(actions({ status: 200 })).toEqual(['keep']);
  expect(actions({ otherBaseUrl: true })).toEqual(['keep']);
});

it('counts the tries of each file, and begins anew after an answer', () => {
  const rescue = new SubtitleRescue();
  const judge = (over: Partial<SubtitleAnswer>): SubtitleAction =>
    rescue.judge({ ...segment, status: 500, ...over });
  expect([judge({}), judge({}), judge({ url: 'http://a/text-3.m4s' })]).toEqual([
    'keep',
    'keep',
    'keep',
  ]);
  judge({ status: 200 });
  expect(judge({})).toBe('keep');
});
