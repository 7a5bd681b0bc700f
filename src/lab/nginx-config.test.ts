import { describe, expect, it } from 'vitest';
import { nginxConfig, type NginxConfigOptions } from './nginx-config';
import type { NginxFeatures } from './nginx-version';

const OLD: NginxFeatures = {
  version: '1.22.1',
  hasMultipath: false,
  hasHttp2Directive: false,
  hasTls: true,
  hasHttp2: true,
  tempPathModules: ['proxy'],
};
const NEW: NginxFeatures = {
  ...OLD,
  version: '1.29.7',
  hasMultipath: true,
  hasHttp2Directive: true,
};
const OPTIONS: NginxConfigOptions = {
  prefixDir: '/run/x',
  rootDir: '/media/a b',
  address: '10.77.0.1',
  port: 8080,
  accessLogFile: '/run/x/access.log',
};
const TLS = { certificateFile: '/run/x/c', keyFile: '/run/x/k', http2: true };

describe('nginxConfig', () => {
  it('requests multipath only if nginx supports the parameter', () => {
    expect(nginxConfig(OPTIONS, OLD)).toContain('listen 10.77.0.1:8080;');
    expect(nginxConfig(OPTIONS, NEW)).toContain('listen 10.77.0.1:8080 multipath;');
  });

  it('enables HTTP/2 by the syntax of the version', () => {
    expect(nginxConfig({ ...OPTIONS, tls: TLS }, OLD)).toContain(
      'listen 10.77.0.1:8080 ssl http2;',
    );
    const config = nginxConfig({ ...OPTIONS, tls: TLS }, NEW);
    expect(config).toContain('listen 10.77.0.1:8080 multipath ssl;');
    expect(config).toContain('http2 on;');
    expect(nginxConfig({ ...OPTIONS, tls: { ...TLS, http2: false } }, NEW)).not.toContain('http2');
  });

  it('leaves out the validators of answers where asked', () => {
    expect(nginxConfig({ ...OPTIONS, etag: false }, NEW)).toContain('etag off;');
    expect(nginxConfig(OPTIONS, NEW)).not.toContain('etag');
  });

  it('configures no module that is not built in', () => {
    expect(nginxConfig(OPTIONS, OLD)).not.toContain('scgi_temp_path');
  });

  it.each(['/a"b', '/a$b', '/a\\b', '/a\nb', 'relative'])('refuses to serve %j', (rootDir) => {
    expect(() => nginxConfig({ ...OPTIONS, rootDir }, OLD)).toThrow('nginx cannot serve');
  });
});
