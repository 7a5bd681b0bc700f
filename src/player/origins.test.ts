import { describe, expect, it } from 'vitest';
import { Origins } from './origins';

describe('Origins', () => {
  it('tells all origins whenever there is a new one', () => {
    const told: (readonly string[])[] = [];
    const origins = new Origins((all) => void told.push(all));
    origins.add(['http://a.example/x.mpd']);
    origins.add(['./video/', 'http://a.example/other/'], 'http://a.example/x.mpd');
    origins.add(['https://cdn.example:8443/x/', 'data:video/mp4,x', 'http://[bad'], undefined);
    expect(told).toEqual([['http://a.example'], ['http://a.example', 'https://cdn.example:8443']]);
  });

  it('keeps within what a feed may watch', () => {
    let last: readonly string[] = [];
    const origins = new Origins((all) => (last = all));
    for (let i = 0; i < 100; i += 1) origins.add([`http://h${i}.example/`]);
    expect(last).toHaveLength(32);
  });
});
