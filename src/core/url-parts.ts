/** Port of an http or https address; empty text stands for the scheme's own. @param protocol as of `URL`: `https:` */
export function portOf({ port, protocol }: { port: string; protocol: string }): number {
  if (port !== '') return Number(port);
  return protocol === 'https:' ? 443 : 80;
}

/** Host of a URL without the brackets of an IPv6 address. */
export const bareHost = ({ hostname }: { hostname: string }): string =>
  hostname.replace(/^\[|\]$/g, '');
