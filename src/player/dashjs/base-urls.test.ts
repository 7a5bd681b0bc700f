import { describe, expect, it } from 'vitest';
import { BaseUrls } from './base-urls';

const twoServers = {
  BaseURL: ['http://a/', { __text: 'http://b/', serviceLocation: 'b' }],
  Period: [{ AdaptationSet: [{ Representation: [{ BaseURL: ['video.mp4'] }] }] }],
};

describe('BaseUrls', () => {
  it('has another until every BaseURL of one element failed, regardless of repeated failures', () => {
    const baseUrls = new BaseUrls();
    baseUrls.read(twoServers);
    expect(baseUrls.anyChoice).toBe(true);
    baseUrls.failed('http://a/');
    baseUrls.failed('http://a/');
    expect(baseUrls.hasOther('http://a/')).toBe(true);
    expect(baseUrls.hasOther('b')).toBe(false);
    expect(baseUrls.anyChoice).toBe(false);
  });

  it('does not count the BaseURL of another period or a file name as another server', () => {
    const baseUrls = new BaseUrls();
    baseUrls.read({
      Period: [{ BaseURL: ['http://a/'] }, { BaseURL: ['http://b/', 'relative/', 'http://c/'] }],
    });
    expect(baseUrls.hasOther('http://a/')).toBe(false);
    expect(baseUrls.hasOther('http://b/')).toBe(false);
    expect(baseUrls.anyChoice).toBe(false);
  });

  it('has no other BaseURL without a manifest', () => {
    const baseUrls = new BaseUrls();
    for (const odd of [null, undefined, 7, { Period: 'x', BaseURL: [null, 3] }]) {
      baseUrls.read(odd);
      expect(baseUrls.hasOther('http://a/')).toBe(false);
    }
  });
});
