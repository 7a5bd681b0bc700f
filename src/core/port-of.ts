/** Port of an http or https address; empty text stands for the scheme's own. @param protocol as of `URL`: `https:` */
export function portOf({ port, protocol }: { port: string; protocol: string }): number {
  if (port !== '') return Number(port);
  return protocol === 'https:' ? 443 : 80;
}
