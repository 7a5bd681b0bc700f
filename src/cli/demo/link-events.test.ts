import { describe, expect, it } from 'vitest';
import { collectLinkEvent } from './link-events';

describe('collectLinkEvent', () => {
  it('reads time, path and state, one after another', () => {
    const first = collectLinkEvent('15s:path2:down');
    expect(collectLinkEvent('20.5s:path1:blackhole', first)).toEqual([
      { atMs: 15_000, kind: 'link-state', link: 'path2', state: 'down' },
      { atMs: 20_500, kind: 'link-state', link: 'path1', state: 'blackhole' },
    ]);
  });

  it.each(['', '15:path2:down', '15s:path:down', '15s:path2:off', '-1s:path1:up', '1s:path1:up '])(
    'refuses "%s" and shows how to write it',
    (text) => {
      expect(() => collectLinkEvent(text)).toThrow('15s:path2:down');
    },
  );
});
