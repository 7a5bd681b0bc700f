import { lookup } from 'mrmime';
import { LabError } from './errors';
import type { NginxFeatures } from './nginx-version';

export interface NginxTls {
  certificateFile: string;
  keyFile: string;
  http2: boolean;
}

export interface NginxConfigOptions {
  /** Writable folder of this server alone. */
  prefixDir: string;
  /** Folder to serve. */
  rootDir: string;
  address: string;
  port: number;
  accessLogFile: string;
  tls?: NginxTls;
  /** False: no ETag, so that ranges of two answers cannot be joined. Default true. */
  etag?: boolean | undefined;
}

/** Extensions of what the lab serves. The distribution's own table differs from machine to machine. */
const SERVED = ['mpd', 'mp4', 'm4s', 'm4v', 'm4a', 'html', 'js', 'mjs', 'json', 'css'];

function quoted(path: string): string {
  if (!/^\/[^"$\\\n\r]*$/.test(path)) {
    throw new LabError(
      'BAD_OPTION',
      `nginx cannot serve "${path}": an absolute path without " $ \\ is needed`,
    );
  }
  return `"${path}"`;
}

/** Host and port in the notation of URLs and nginx's `listen`: IPv6 addresses in brackets. */
export function hostAndPort(address: string, port: number): string {
  return `${address.includes(':') ? `[${address}]` : address}:${port}`;
}

function listenLine(options: NginxConfigOptions, features: NginxFeatures): string {
  const flags = [
    ...(features.hasMultipath ? ['multipath'] : []),
    ...(options.tls === undefined ? [] : ['ssl']),
    ...(options.tls?.http2 === true && !features.hasHttp2Directive ? ['http2'] : []),
  ];
  return `listen ${[hostAndPort(options.address, options.port), ...flags].join(' ')};`;
}

function tlsLines(tls: NginxTls | undefined, features: NginxFeatures): string[] {
  if (tls === undefined) return [];
  return [
    `ssl_certificate ${quoted(tls.certificateFile)};`,
    `ssl_certificate_key ${quoted(tls.keyFile)};`,
    'ssl_protocols TLSv1.2 TLSv1.3;',
    ...(tls.http2 && features.hasHttp2Directive ? ['http2 on;'] : []),
  ];
}

/**
 * A complete configuration for one file server. One process, so that it needs no user switch and runs the
 * same as root and inside a user namespace. Connections are kept alive, because short ones never become
 * multipath.
 * @throws LabError BAD_OPTION for a path that nginx cannot parse
 */
export function nginxConfig(options: NginxConfigOptions, features: NginxFeatures): string {
  const temp = (name: string): string =>
    `  ${name}_temp_path ${quoted(`${options.prefixDir}/${name}`)};`;
  const header = (name: string, value: string): string =>
    `    add_header ${name} "${value}" always;`;
  return [
    // The only user that exists in every sandbox without root; nginx assigns its temporary folders to it.
    'user root;',
    'daemon off;',
    'master_process off;',
    'error_log stderr warn;',
    `pid ${quoted(`${options.prefixDir}/nginx.pid`)};`,
    'events { worker_connections 512; }',
    'http {',
    '  types {',
    ...SERVED.map((name) => `    ${lookup(name) ?? 'application/octet-stream'} ${name};`),
    '  }',
    '  default_type application/octet-stream;',
    `  log_format lab '$msec $remote_addr "$request" $status $body_bytes_sent $request_time $connection';`,
    `  access_log ${quoted(options.accessLogFile)} lab;`,
    '  sendfile on;',
    '  tcp_nopush on;',
    '  keepalive_timeout 600s;',
    '  keepalive_requests 1000000;',
    ...['client_body', ...features.tempPathModules].map(temp),
    '  server {',
    `    ${listenLine(options, features)}`,
    ...tlsLines(options.tls, features).map((line) => `    ${line}`),
    `    root ${quoted(options.rootDir)};`,
    // Without an ETag the date of modification would join the ranges.
    ...(options.etag === false ? ['    etag off;', '    add_header Last-Modified "";'] : []),
    header('Access-Control-Allow-Origin', '*'),
    header('Access-Control-Allow-Headers', 'Range'),
    header('Access-Control-Expose-Headers', 'Content-Length, Content-Range, Date'),
    header('Timing-Allow-Origin', '*'),
    header('Cache-Control', 'no-store'),
    '    if ($request_method = OPTIONS) { return 204; }',
    '  }',
    '}',
    '',
  ].join('\n');
}
