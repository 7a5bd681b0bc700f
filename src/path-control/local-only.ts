import { isLinkLocal } from '../core';

/** True for an address that no path uses: a link-local one, or the machine's own. */
export const isLocalOnly = (address: string): boolean =>
  isLinkLocal(address) || address.startsWith('127.') || address === '::1';
