/** Textual IP addresses from bytes, in the form the kernel's tools print (RFC 5952). */

const hexGroup = (high: number, low: number): string => ((high << 8) | low).toString(16);

function formatIpv6(bytes: Uint8Array): string {
  const groups: string[] = [];
  for (let index = 0; index < 16; index += 2) {
    groups.push(hexGroup(bytes[index] ?? 0, bytes[index + 1] ?? 0));
  }
  // The longest run of two or more zero groups, the first of equals, becomes `::`.
  let bestStart = -1;
  let bestLength = 1;
  for (let start = 0; start < 8; start += 1) {
    let length = 0;
    while (groups[start + length] === '0') length += 1;
    if (length > bestLength) {
      bestStart = start;
      bestLength = length;
    }
  }
  if (bestStart === -1) return groups.join(':');
  const head = groups.slice(0, bestStart).join(':');
  const tail = groups.slice(bestStart + bestLength).join(':');
  return `${head}::${tail}`;
}

/**
 * Text of an address of 4 or 16 bytes in network order; v4-mapped IPv6 becomes IPv4. Undefined for any other
 * length.
 */
export function formatAddress(bytes: Uint8Array): string | undefined {
  if (bytes.length === 4) return bytes.join('.');
  if (bytes.length !== 16) return undefined;
  const mapped = bytes.subarray(0, 10).every((byte) => byte === 0);
  if (mapped && bytes[10] === 0xff && bytes[11] === 0xff) return bytes.subarray(12).join('.');
  return formatIpv6(bytes);
}

/** `address:port`, with brackets around IPv6. */
export function formatEndpoint(end: { address: string; port: number }): string {
  const host = end.address.includes(':') ? `[${end.address}]` : end.address;
  return `${host}:${end.port}`;
}

function ipv4Bytes(text: string): Uint8Array | undefined {
  const parts = text.split('.');
  const good = (part: string): boolean => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255;
  return parts.length === 4 && parts.every(good) ? Uint8Array.from(parts.map(Number)) : undefined;
}

/** Bytes of a numeric IPv4 or IPv6 address, network order; undefined for anything else (scopes too). */
export function addressBytes(text: string): Uint8Array | undefined {
  if (!text.includes(':')) return ipv4Bytes(text);
  const halves = text.split('::');
  if (halves.length > 2) return undefined;
  const groups = (half: string | undefined): number[] =>
    half === undefined || half === ''
      ? []
      : half.split(':').map((group) => (/^[\da-f]{1,4}$/i.test(group) ? parseInt(group, 16) : NaN));
  const [left, right] = [groups(halves[0]), groups(halves[1])];
  const missing = 8 - left.length - right.length;
  if (halves.length === 2 ? missing < 1 : missing !== 0) return undefined;
  const all = [...left, ...Array<number>(missing).fill(0), ...right];
  if (all.some(Number.isNaN)) return undefined;
  return Uint8Array.from(all.flatMap((group) => [group >> 8, group & 0xff]));
}
