import { describe, expect, it } from 'vitest';
import { parseOrigin } from './origins';

describe('parseOrigin', () => {
  it.each([
    ['https://Media.Example', { host: 'media.example', port: 443, literal: false }],
    ['http://10.9.0.1:8080', { host: '10.9.0.1', port: 8080, literal: true }],
    ['http://[2001:DB8::1]', { host: '2001:db8::1', port: 80, literal: true }],
    ['http://[::1]:81', { host: '::1', port: 81, literal: true }],
  ])('%s', (origin, target) => {
    expect(parseOrigin(origin)).toEqual(target);
  });

  it.each(['ftp://x', 'http://', 'http://a/b', 'http://a:0', 'http://a:70000', 'http://u@a', 'a'])(
    'refuses %s',
    (origin) => {
      expect(parseOrigin(origin)).toBeUndefined();
    },
  );
});
