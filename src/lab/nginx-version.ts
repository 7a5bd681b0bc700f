/** Features of the installed nginx, from `nginx -V` (on standard error). */
export interface NginxFeatures {
  version: string;
  /** Supports MPTCP natively: `listen ... multipath`, since 1.29.7. */
  hasMultipath: boolean;
  /** `http2 on;` instead of `listen ... http2`, since 1.25.1. */
  hasHttp2Directive: boolean;
  hasTls: boolean;
  hasHttp2: boolean;
  /** Built-in proxy-like modules; each needs its temporary folder set. */
  tempPathModules: string[];
}

const TEMP_PATH_MODULES = ['proxy', 'fastcgi', 'uwsgi', 'scgi'] as const;

function isAtLeast(version: readonly number[], wanted: readonly number[]): boolean {
  for (const [index, want] of wanted.entries()) {
    const have = version[index] ?? 0;
    if (have !== want) return have > want;
  }
  return true;
}

/** @returns undefined if the text is not nginx's */
export function parseNginxVersion(text: string): NginxFeatures | undefined {
  const match = /nginx version: \S+?\/(\d+)\.(\d+)\.(\d+)/.exec(text);
  if (match === null) return undefined;
  const version = match.slice(1, 4).map(Number);
  return {
    version: version.join('.'),
    hasMultipath: isAtLeast(version, [1, 29, 7]),
    hasHttp2Directive: isAtLeast(version, [1, 25, 1]),
    hasTls: text.includes('--with-http_ssl_module'),
    hasHttp2: text.includes('--with-http_v2_module'),
    tempPathModules: TEMP_PATH_MODULES.filter(
      (name) => !text.includes(`--without-http_${name}_module`),
    ),
  };
}
