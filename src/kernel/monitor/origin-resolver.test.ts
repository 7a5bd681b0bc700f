import { describe, expect, it } from 'vitest';
import { OriginResolver } from './origin-resolver';

describe('OriginResolver', () => {
  it('takes addresses as they are and resolves only names', async () => {
    const asked: string[] = [];
    const resolver = new OriginResolver((host) => {
      asked.push(host);
      return Promise.resolve(['10.0.0.9']);
    });
    await resolver.watch([
      'http://10.0.0.1:8080',
      'https://[2001:db8::1]',
      'https://a.example',
      'x',
    ]);
    expect(asked).toEqual(['a.example']);
    expect(resolver.matches({ address: '10.0.0.1', port: 8080 })).toBe(true);
    expect(resolver.matches({ address: '10.0.0.1', port: 80 })).toBe(false);
    expect(resolver.matches({ address: '2001:db8::1', port: 443 })).toBe(true);
    expect(resolver.matches({ address: '10.0.0.9', port: 443 })).toBe(true);
    expect(resolver.matches({ address: '10.0.0.9', port: 8080 })).toBe(false);
    resolver.close();
  });

  it('reports a name that does not resolve, and continues', async () => {
    const resolver = new OriginResolver((host) =>
      host === 'good.example'
        ? Promise.resolve(['10.0.0.9'])
        : Promise.reject(new Error('ENOTFOUND')),
    );
    await resolver.watch(['http://bad.example', 'http://good.example']);
    expect(resolver.unresolvedHosts).toEqual(['bad.example']);
    expect(resolver.watching).toBe(true);
    expect(resolver.remotes()).toEqual([{ address: '10.0.0.9', port: 80 }]);
    resolver.close();
  });

  it('keeps addresses of a name after a change of origins, because connections persist', async () => {
    let answer = ['10.0.0.1'];
    const resolver = new OriginResolver(() => Promise.resolve(answer));
    await resolver.watch(['http://a.example']);
    answer = ['10.0.0.2'];
    await resolver.watch(['http://a.example']);
    expect(resolver.matches({ address: '10.0.0.1', port: 80 })).toBe(true);
    expect(resolver.matches({ address: '10.0.0.2', port: 80 })).toBe(true);
    await resolver.watch([]);
    expect(resolver.matches({ address: '10.0.0.2', port: 80 })).toBe(false);
    resolver.close();
  });

  it('makes room for new addresses of a name, and keeps those with a connection', async () => {
    let answer: string[] = [];
    const resolver = new OriginResolver(() => Promise.resolve(answer));
    const matches = (address: string): boolean => resolver.matches({ address, port: 80 });
    for (let at = 0; at < 256; at += 1) {
      answer = [`10.0.0.${at}`];
      await resolver.watch(['http://a.example']);
    }
    const before = resolver.remotes();
    expect(matches('10.0.0.0')).toBe(true);
    expect(resolver.remotes()).toEqual(before);
    answer = ['10.0.1.0'];
    await resolver.watch(['http://a.example']);
    expect(resolver.remotes()).toHaveLength(256);
    expect(['10.0.1.0', '10.0.0.0', '10.0.0.1'].map(matches)).toEqual([true, true, false]);
    resolver.close();
  });
});
