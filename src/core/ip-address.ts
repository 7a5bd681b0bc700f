/** True for a link-local address (RFC 3927, RFC 4291): no path to a media server begins there. */
export const isLinkLocal = (address: string): boolean =>
  address.startsWith('169.254.') || /^fe[89ab]/i.test(address);

/** True for IPv6. */
export const isV6 = (address: string): boolean => address.includes(':');
