import { describe, expect, it } from 'vitest';
import { parseNginxVersion } from './nginx-version';

const DEBIAN = `nginx version: nginx/1.22.1
built with OpenSSL 3.0.15 3 Sep 2024
TLS SNI support enabled
configure arguments: --with-http_ssl_module --with-http_v2_module --without-http_uwsgi_module`;

describe('parseNginxVersion', () => {
  it('reads a distribution build', () => {
    expect(parseNginxVersion(DEBIAN)).toEqual({
      version: '1.22.1',
      hasMultipath: false,
      hasHttp2Directive: false,
      hasTls: true,
      hasHttp2: true,
      tempPathModules: ['proxy', 'fastcgi', 'scgi'],
    });
  });

  it.each([
    ['1.29.6', false],
    ['1.29.7', true],
    ['1.30.0', true],
    ['2.0.0', true],
    ['1.3.9', false],
  ])('knows that %s speaks MPTCP: %s', (version, hasMultipath) => {
    expect(parseNginxVersion(`nginx version: nginx/${version} (Ubuntu)`)).toMatchObject({
      hasMultipath,
    });
  });

  it('accepts forks and refuses other programs', () => {
    expect(parseNginxVersion('nginx version: openresty/1.25.3.1')?.version).toBe('1.25.3');
    expect(parseNginxVersion('lighttpd/1.4.69')).toBeUndefined();
  });
});
