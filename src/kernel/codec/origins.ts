import { portOf } from '../../core';

/** Host and port of a media origin. */
export interface OriginTarget {
  host: string;
  port: number;
  /** The host is an address, not a name. */
  literal: boolean;
}

const originPattern = /^(https?):\/\/(?:\[([0-9a-fA-F:.]+)\]|([^/?#@\s:[\]]+))(?::(\d{1,5}))?$/;
const ipv4Pattern = /^\d{1,3}(?:\.\d{1,3}){3}$/;

/** Parses `scheme://host[:port]`; undefined for other text. */
export function parseOrigin(origin: string): OriginTarget | undefined {
  const match = originPattern.exec(origin);
  if (!match) return undefined;
  const [, scheme = '', v6, name, portText = ''] = match;
  const port = portOf({ port: portText, protocol: `${scheme}:` });
  if (port < 1 || port > 65535) return undefined;
  if (v6 !== undefined) return { host: v6.toLowerCase(), port, literal: true };
  if (name === undefined) return undefined;
  return { host: name.toLowerCase(), port, literal: ipv4Pattern.test(name) };
}
