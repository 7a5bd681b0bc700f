/** Addresses that no path uses: link-local ones and the machine's own. */
export const isLinkLocal = (address: string): boolean =>
  /^(fe[89ab]|169\.254\.|127\.|::1$)/i.test(address);
