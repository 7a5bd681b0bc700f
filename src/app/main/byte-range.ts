/** First and last byte, both included, as in the header. Elsewhere `ByteRange` excludes its end. */
interface InclusiveRange {
  start: number;
  end: number;
}

/**
 * Reads a `Range` header (RFC 9110, section 14) for a file of `sizeBytes`. `whole` if the header is absent,
 * invalid or asks for several ranges (all three may be answered with 200); `unsatisfiable` requires 416.
 */
export function parseByteRange(
  header: string | undefined,
  sizeBytes: number,
): InclusiveRange | 'whole' | 'unsatisfiable' {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '');
  if (match === null) return 'whole';
  const [, from = '', to = ''] = match;
  if (from === '' && to === '') return 'whole';
  if (from === '') {
    const wanted = Number(to);
    if (wanted === 0 || sizeBytes === 0) return 'unsatisfiable';
    return { start: Math.max(0, sizeBytes - wanted), end: sizeBytes - 1 };
  }
  const start = Number(from);
  const end = to === '' ? sizeBytes - 1 : Math.min(Number(to), sizeBytes - 1);
  if (to !== '' && Number(to) < start) return 'whole';
  return start >= sizeBytes ? 'unsatisfiable' : { start, end };
}
