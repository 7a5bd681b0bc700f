import { describe, expect, it } from 'vitest';
import { classifyError, describePlaybackError, givenUpLocation } from './errors';
import { keySystemsOf, videoCodecsOf } from '../dashjs/protection';

const context = (otherBaseUrl: boolean) => ({
  manifestUrl: 'http://a.example/x.mpd',
  manifestDefect: (): string | undefined => undefined,
  otherBaseUrl: () => otherBaseUrl,
  keySystems: () => undefined,
  hasPlayed: () => false,
});
const dash = (code: number, message = 'm', data?: unknown) => ({ error: { code, message, data } });

describe('classifyError', () => {
  it('names the problem of an MPD, which is fatal', () => {
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

  it('names the element at which an MPD is cut short', () => {
    const cut = { ...context(false), manifestDefect: () => 'cut short inside <Period>' };
    const error = classifyError(dash(25, 'm', { response: { status: 0 } }), cut);
    expect(error).toMatchObject({ code: 'manifest-malformed', fatal: true });
    expect(error.message).toContain('http://a.example/x.mpd is cut short inside <Period>');
    expect(classifyError(dash(27), cut).code).toBe('segment-unavailable');
  });

  it('is fatal about a segment only without another BaseURL', () => {
    expect(classifyError(dash(27), context(true)).fatal).toBe(false);
    expect(classifyError(dash(27), context(false)).fatal).toBe(true);
    expect(classifyError(dash(28), context(true)).fatal).toBe(false);
  });

  it('names the abandoned server', () => {
    const data = { request: { serviceLocation: 'a' } };
    expect(givenUpLocation(dash(27, 'm', data))).toBe('a');
    expect(givenUpLocation(dash(28, 'm', data))).toBe('a');
    expect(givenUpLocation(dash(25, 'm', data))).toBeUndefined();
    expect(givenUpLocation(undefined)).toBeUndefined();
  });

  it('names the certificate if an https server does not answer', () => {
    const secure = { ...context(false), manifestUrl: 'https://a.example/x.mpd' };
    const silent = classifyError(dash(25, 'm', { response: { status: 0 } }), secure);
    expect(silent.message).toContain('certificate is trusted (a self-signed one is not)');
    expect(silent.message).not.toContain('cross-origin');
    const there = classifyError(dash(25, 'm', { response: { status: 0 } }), secure, true);
    expect(there.message).toContain('Access-Control-Allow-Origin');
    expect(there.message).not.toContain('certificate');
    for (const [status, where] of [
      [404, secure],
      [0, context(false)],
    ] as const) {
      const error = classifyError(dash(25, 'm', { response: { status } }), where);
      expect(error.message).not.toContain('certificate');
    }
  });

  it('names the missing key of an undecodable encrypted stream', () => {
    const encrypted = { ...context(false), keySystems: () => ['Widevine'] };
    expect(classifyError(dash(3, 'PIPELINE_ERROR_DECODE'), encrypted)).toMatchObject({
      code: 'key-missing',
      fatal: true,
      message: expect.stringContaining('PIPELINE_ERROR_DECODE') as string,
    });
    const played = { ...encrypted, hasPlayed: () => true };
    expect(classifyError(dash(3), played).code).toBe('decoder');
    expect(classifyError(dash(111), played).code).toBe('key-missing');
    expect(classifyError(dash(111), context(false)).code).toBe('key-missing');
    expect(classifyError(dash(3), context(false)).code).toBe('decoder');
    expect(classifyError(dash(32), encrypted).message).toContain('encrypted for Widevine');
    expect(classifyError(dash(32), context(false)).message).not.toContain('encrypted');
  });

  it('reads the key systems of a stream from the manifest', () => {
    const manifest = (...schemes: string[]) => ({
      Period: [
        { AdaptationSet: [{}] },
        {
          AdaptationSet: [
            { ContentProtection: schemes.map((schemeIdUri) => ({ schemeIdUri })) },
            { Representation: [{ ContentProtection: [{}] }] },
          ],
        },
      ],
    });
    const widevine = 'urn:uuid:EDEF8BA9-79D6-4ACE-A3C8-27DCD51D21ED';
    expect(keySystemsOf(manifest('urn:x', widevine, widevine))).toEqual(['Widevine']);
    expect(keySystemsOf(manifest('urn:mpeg:dash:mp4protection:2011'))).toEqual([]);
    for (const clear of [{ Period: [{ AdaptationSet: [{}] }] }, {}, null, 'text', { Period: 1 }]) {
      expect(keySystemsOf(clear)).toBeUndefined();
    }
  });

  it('reads the codecs of the video from the manifest', () => {
    const representations = [{ mimeType: 'video/mp4', codecs: 'hvc1' }, { codecs: 'hvc1' }];
    const video = { contentType: 'video', Representation: representations };
    const audio = { mimeType: 'audio/mp4', Representation: [{ codecs: 'mp4a.40.2' }] };
    expect(videoCodecsOf({ Period: [{ AdaptationSet: [video, audio] }] })).toEqual(['hvc1']);
    expect(videoCodecsOf(undefined)).toEqual([]);
  });

  it('passes on unknown errors as not fatal', () => {
    expect(classifyError(dash(4711, 'odd'), context(false))).toEqual({
      code: 'dash-4711',
      message: 'odd',
      fatal: false,
    });
    for (const odd of [undefined, null, 7, {}, { error: 'capability' }, { error: {} }]) {
      expect(classifyError(odd, context(false)).fatal).toBe(false);
    }
  });

  it('recognizes a decoder error that dash.js may recover from', () => {
    expect(describePlaybackError(dash(3, 'bad frame'))).toMatchObject({ fatal: false });
    expect(describePlaybackError(dash(2))).toBeUndefined();
    expect(classifyError(dash(3), context(false))).toMatchObject({ code: 'decoder', fatal: true });
  });
});
