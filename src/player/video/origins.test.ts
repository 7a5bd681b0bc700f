import { describe, expect, it } from 'vitest';
import { Origins } from './origins';

describe('Origins', () => {
  it('reports all origins after each new one', () => {
    const reported: (readonly string[])[] = [];
    const origins = new Origins((all) => void reported.push(all));
    origins.add(['http://a.example/x.mpd']);
    origins.add(['./video/', 'http://a.example/other/'], 'http://a.example/x.mpd');
    origins.add(['https://cdn.example:8443/x/', 'data:video/mp4,x', 'http://[bad'], undefined);
    expect(reported).toEqual([
      ['http://a.example'],
      ['http://a.example', 'https://cdn.example:8443'],
    ]);
  });

  it('stays within the limits of a feed’s watch list', () => {
    let last: readonly string[] = [];
    const origins = new Origins((all) => (last = all));
    for (let i = 0; i < 100; i += 1) origins.add([`http://h${i}.example/`]);
    expect(last).toHaveLength(32);
  });
});
