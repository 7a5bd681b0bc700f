import { describe, expect, it } from 'vitest';
import { PageConfigError, readPageConfig } from './page-config';

const choices = ['multipath', 'bola'] as const;

describe('readPageConfig', () => {
  it('reads the address opened by the agent', () => {
    const parameters = new URLSearchParams({
      mpd: 'http://10.0.0.2/x.mpd?a=1&b=2',
      feed: 'ws://127.0.0.1:9/feed',
      token: 'abc',
      abr: 'bola',
      correction: '0',
      autoplay: '1',
      policy: 'metered',
      policyConfig: '{"budgetBytes":5}',
      networks: '[{"network":"wwan0","metered":true}]',
      bufferTarget: '2.5',
      media: '{"audioLanguage":"de"}',
    });
    expect(readPageConfig(`#${parameters.toString()}`, choices)).toEqual({
      mpd: 'http://10.0.0.2/x.mpd?a=1&b=2',
      agent: { url: 'ws://127.0.0.1:9/feed', token: 'abc' },
      abr: 'bola',
      correction: false,
      autoplay: true,
      policy: 'metered',
      policyConfig: { budgetBytes: 5 },
      networks: [{ network: 'wwan0', metered: true }],
      bufferTargetMs: 2500,
      media: { audioLanguage: 'de' },
    });
  });

  it('requires only an MPD', () => {
    expect(readPageConfig('#mpd=x', choices)).toEqual({
      mpd: 'x',
      agent: undefined,
      abr: 'multipath',
      correction: true,
      autoplay: false,
      policy: undefined,
      policyConfig: undefined,
      networks: undefined,
      bufferTargetMs: undefined,
      media: {},
    });
  });

  it.each([
    ['', /mpd/],
    ['#mpd=', /mpd/],
    ['#mpd=x&feed=ws://a', /feed and token/],
    ['#mpd=x&token=a', /feed and token/],
    ['#mpd=x&abr=magic', /abr must be one of multipath/],
    ['#mpd=x&policyConfig=[1]', /policyConfig must be a JSON object/],
    ['#mpd=x&policyConfig={', /policyConfig must be JSON/],
    ['#mpd=x&networks=[{"metered":1}]', /networks/],
    ['#mpd=x&bufferTarget=0', /bufferTarget: expected 1 to 600/],
    ['#mpd=x&media={"keys":{"a":"b"}}', /media\.keys.*32 hexadecimal/],
    ['#mpd=x&correction=maybe', /correction must be 1 or 0/],
  ])('names what is wrong with %s', (hash, message) => {
    expect(() => readPageConfig(hash, choices)).toThrow(PageConfigError);
    expect(() => readPageConfig(hash, choices)).toThrow(message);
  });
});
