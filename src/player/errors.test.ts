import { describe, expect, it } from 'vitest';
import { classifyError, describePlaybackError } from './errors';

const context = (otherBaseUrls: boolean) => ({
  manifestUrl: 'http://a.example/x.mpd',
  otherBaseUrls: () => otherBaseUrls,
});
const dash = (code: number, message = 'm', data?: unknown) => ({ error: { code, message, data } });

describe('classifyError', () => {
  it('says what is wrong with an MPD, and that it is fatal', () => {
    const gone = classifyError(dash(25, 'm', { response: { status: 404 } }), context(false));
    expect(gone).toMatchObject({ code: 'manifest-unreachable', fatal: true });
    expect(gone.message).toContain('http://a.example/x.mpd');
    expect(gone.message).toContain('HTTP 404');
    const silent = classifyError(dash(25, 'm', { response: { status: 0 } }), context(false));
    expect(silent.message).toContain('no answer');
    expect(classifyError(dash(10), context(false)).code).toBe('manifest-malformed');
    expect(classifyError(dash(31), context(false)).code).toBe('manifest-malformed');
    expect(classifyError(dash(32), context(false)).code).toBe('manifest-unplayable');
  });

  it('is fatal about a segment only when there is nowhere else to go', () => {
    expect(classifyError(dash(27), context(true)).fatal).toBe(false);
    expect(classifyError(dash(27), context(false)).fatal).toBe(true);
    expect(classifyError(dash(28), context(true)).fatal).toBe(false);
  });

  it('passes on what it does not know, without calling it fatal', () => {
    expect(classifyError(dash(4711, 'odd'), context(false))).toEqual({
      code: 'dash-4711',
      message: 'odd',
      fatal: false,
    });
    for (const odd of [undefined, null, 7, {}, { error: 'capability' }, { error: {} }]) {
      expect(classifyError(odd, context(false)).fatal).toBe(false);
    }
  });

  it('tells a decoder error dash.js may recover from', () => {
    expect(describePlaybackError(dash(3, 'bad frame'))).toMatchObject({ fatal: false });
    expect(describePlaybackError(dash(2))).toBeUndefined();
    expect(classifyError(dash(3), context(false))).toMatchObject({ code: 'decoder', fatal: true });
  });
});
