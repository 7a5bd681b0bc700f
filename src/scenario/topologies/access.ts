import type { AccessLinkOptions } from '../topology-source';
import type { LinkSpec, Name } from '../types';

/** A link with the user's side at `a`. */
export function accessLink(
  { id, up, down, middlebox }: AccessLinkOptions,
  a: Name,
  b: Name,
): LinkSpec {
  return { id, a, b, ab: up, ba: down, ...(middlebox === undefined ? {} : { middlebox }) };
}
