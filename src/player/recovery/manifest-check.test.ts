import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ManifestCheck, cutShort } from './manifest-check';

const WHOLE = `<?xml version="1.0"?>
<!-- <Period> of a comment -->
<MPD type="static" title="a > b">
  <Period id="1"><AdaptationSet mimeType='video/mp4'>
    <SegmentTemplate media="$Number$.m4s"/>
    <Representation id="a" bandwidth="1"></Representation>
  </AdaptationSet></Period>
</MPD>`;

describe('cutShort', () => {
  it('accepts a whole manifest, with a prefix and with what may follow its root', () => {
    for (const text of [
      WHOLE,
      `${WHOLE}\n<!-- made by x --> \n<!-- and y -->\n`,
      `${WHOLE}<?made by-x?>\n<!-- last -->`,
      WHOLE.replaceAll(/<(\/?)(?=[MPASR])/g, '<$1dash:'),
      '<MPD/>',
    ]) {
      expect(cutShort(text)).toBeUndefined();
    }
  });

  it('names the element in which a manifest ends', () => {
    const upTo = (end: string): string | undefined =>
      cutShort(WHOLE.slice(0, WHOLE.indexOf(end) + end.length));
    expect(upTo('static" title="a > b">')).toBe('cut short inside <MPD>');
    expect(upTo('<Period id="1">')).toBe('cut short inside <Period>');
    expect(upTo('<SegmentTempl')).toBe('cut short inside <AdaptationSet>');
    expect(upTo('m4s"/>')).toBe('cut short inside <AdaptationSet>');
    expect(upTo('bandwidth="1">')).toBe('cut short inside <Representation>');
    expect(upTo('</AdaptationSet>')).toBe('cut short inside <Period>');
    expect(upTo('</Period>')).toBe('cut short inside <MPD>');
  });

  it('finds every cut behind the root’s tag', () => {
    const first = WHOLE.indexOf('b">') + 3;
    fc.assert(
      fc.property(fc.integer({ min: first, max: WHOLE.length - 1 }), (length) => {
        expect(cutShort(WHOLE.slice(0, length))).toMatch(/^cut short inside </);
      }),
    );
  });

  it('leaves to dash.js what is no manifest', () => {
    for (const text of ['', '<html><body>Not found</body></html>', '{"error":"none"}']) {
      expect(cutShort(text)).toBeUndefined();
    }
  });
});

describe('ManifestCheck', () => {
  it('has a part fetched again, and forgets it when the whole arrives', () => {
    const check = new ManifestCheck();
    expect(check.judge(WHOLE.slice(0, -2))).toMatchObject({ action: 'retry' });
    expect(check.defect).toBe('cut short inside <MPD>');
    expect(check.judge(WHOLE)).toEqual({ action: 'keep' });
    expect(check.defect).toBeUndefined();
    expect(check.judge(undefined)).toEqual({ action: 'keep' });
  });
});
